(* Determinants of pencils: where matrices are products whose middle factors do not depend on d, the forms of all d are
   multiples of one form. *)

From mathcomp Require Import all_ssreflect all_algebra.
From SsrMultinomials Require Import mpoly.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

Section Pencils.
Variables (R : fieldType) (n r : nat).

(* det(Σ z_y T[y]), a polynomial in r letters z_y. *)
Definition pencil (T : 'I_r -> 'M[R]_n) : {mpoly R[r]} := \det (\sum_y 'X_y *: map_mx (@mpolyC r R) (T y)).

Lemma pencil_product (U V : 'M[R]_n) (K : 'I_r -> 'M[R]_n) :
  pencil (fun y => U *m K y *m V) = (\det U * \det V) *: pencil K.
Proof.
rewrite /pencil.
have -> : \sum_y 'X_y *: map_mx (@mpolyC r R) (U *m K y *m V) =
    map_mx (@mpolyC r R) U *m (\sum_y 'X_y *: map_mx (@mpolyC r R) (K y)) *m map_mx (@mpolyC r R) V.
  rewrite mulmx_sumr mulmx_suml; apply: eq_bigr => y _.
  by rewrite !map_mxM -scalemxAr -scalemxAl.
rewrite !det_mulmx !det_map_mx mulrAC -rmorphM mul_mpolyC.
by [].
Qed.

(* Lemma "pencils": the rows d of the coefficients of these forms are a matrix of rank at most 1. *)
Theorem pencil_rank (q s : nat) (U V : 'I_q -> 'M[R]_n) (K : 'I_r -> 'M[R]_n) (T : 'I_q -> 'I_r -> 'M[R]_n)
    (m : 'I_s -> 'X_{1..r}) :
  (forall d y, T d y = U d *m K y *m V d) -> (\rank (\matrix_(d, j) (pencil (T d))@_(m j)) <= 1)%N.
Proof.
move=> h.
have -> : \matrix_(d, j) (pencil (T d))@_(m j) =
    (\col_d (\det (U d) * \det (V d))) *m (\row_j (pencil K)@_(m j)).
  apply/matrixP => d j; rewrite !mxE big_ord_recl big_ord0 addr0 !mxE -mcoeffZ -pencil_product.
  congr (_ @_ _); rewrite /pencil; congr (\det _); apply: eq_bigr => y _; congr (_ *: map_mx _ _); exact: h.
by apply: leq_trans (mulmx_max_rank _ _) _.
Qed.

End Pencils.

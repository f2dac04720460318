(* Determinants of slices: where matrices are products of factors each of which depends on u alone or on v alone, the
   matrix of their determinants has rank at most 1. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

Section Determinants.
Variables (R : fieldType) (n p q : nat).

(* A square matrix that depends on u, or one that depends on v. Diagonal matrices and numbers are such matrices, too. *)
Definition one_sided : Type := (('I_p -> 'M[R]_n) + ('I_q -> 'M[R]_n))%type.
Definition at_sides (f : one_sided) (u : 'I_p) (v : 'I_q) : 'M[R]_n :=
  match f with inl one => one u | inr other => other v end.
Definition multiplied (fs : seq one_sided) (u : 'I_p) (v : 'I_q) : 'M[R]_n :=
  foldr (fun f rest => at_sides f u v *m rest) 1%:M fs.

Lemma det_multiplied (fs : seq one_sided) :
  exists a : 'I_p -> R, exists b : 'I_q -> R, forall u v, \det (multiplied fs u v) = a u * b v.
Proof.
elim: fs => [|f fs [a [b h]]].
  by exists (fun=> 1), (fun=> 1) => u v; rewrite /= det1 mulr1.
case: f => [one|other].
  by exists (fun u => \det (one u) * a u), b => u v; rewrite /= det_mulmx h mulrA.
by exists a, (fun v => \det (other v) * b v) => u v; rewrite /= det_mulmx h mulrCA.
Qed.

(* Lemma "determinants" (b), once (a) has shown that slices are such products. *)
Theorem determinants_rank (fs : seq one_sided) (D : 'I_p -> 'I_q -> 'M[R]_n) :
  (forall u v, D u v = multiplied fs u v) -> (\rank (\matrix_(u, v) \det (D u v)) <= 1)%N.
Proof.
move=> h; have [a [b e]] := det_multiplied fs.
have -> : \matrix_(u, v) \det (D u v) = (\col_u a u) *m (\row_v b v).
  by apply/matrixP => u v; rewrite !mxE big_ord_recl big_ord0 addr0 !mxE h e.
by apply: leq_trans (mulmx_max_rank _ _) _.
Qed.

End Determinants.

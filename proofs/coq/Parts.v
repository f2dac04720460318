(* Ranks of Jacobians that are products with those of parts of a model, one below the other. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

Section Parts.
Variables (R : fieldType) (m : nat).

(* Rows one block after the other. *)
Fixpoint height (blocks : seq {k : nat & 'M[R]_(k, m)}) : nat :=
  if blocks is block :: rest then (projT1 block + height rest)%N else 0%N.
Fixpoint stacked (blocks : seq {k : nat & 'M[R]_(k, m)}) : 'M[R]_(height blocks, m) :=
  match blocks return 'M[R]_(height blocks, m) with
  | [::] => 0
  | block :: rest => col_mx (projT2 block) (stacked rest)
  end.

Lemma stacked_rank (blocks : seq {k : nat & 'M[R]_(k, m)}) :
  (\rank (stacked blocks) <= \sum_(block <- blocks) \rank (projT2 block))%N.
Proof.
elim: blocks => [|block blocks h] /=; first by rewrite mxrank0.
rewrite big_cons -addsmxE; apply: leq_trans (mxrank_adds_leqif _ _) _.
by rewrite leq_add2l.
Qed.


(* Lemma "parts" (b): the Jacobian of a map that is a function of others, by the chain rule. *)
Theorem parts_rank (r : nat) (blocks : seq {k : nat & 'M[R]_(k, m)}) (A : 'M[R]_(r, height blocks)) :
  (\rank (A *m stacked blocks) <= \sum_(block <- blocks) \rank (projT2 block))%N.
Proof. exact: leq_trans (mxrankM_maxr _ _) (stacked_rank _). Qed.

(* Lemma "parts" (c): one block of rows for each state x, a product with the Jacobian of one network at a point. *)
Theorem slices_rank (r k s d : nat) (J : 'I_r -> 'M[R]_(k, s)) (C : 'I_r -> 'M[R]_(s, m)) :
  (forall x, \rank (J x) <= d)%N ->
  (\rank (stacked [seq existT (fun k => 'M[R]_(k, m)) k (J x *m C x) | x <- enum 'I_r]) <= r * d)%N.
Proof.
move=> h; apply: leq_trans (stacked_rank _) _; rewrite big_map.
apply: (@leq_trans (\sum_(x <- enum 'I_r) d)).
  by apply: leq_sum => x _; exact: leq_trans (mxrankM_maxl _ _) (h x).
by rewrite big_const_seq count_predT size_enum_ord iter_addn_0 mulnC.
Qed.

End Parts.

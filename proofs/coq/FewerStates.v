(* Ranks of rows as a function of sets of blocks, and what is concave in the number of blocks. *)

From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Lemma "fewer states" (a): with the rows of one of two blocks already there, the other adds no more. *)
Theorem fewer_states_rank (R : fieldType) (m s x y : nat) (S : 'M[R]_(s, m)) (X : 'M[R]_(x, m)) (Y : 'M[R]_(y, m)) :
  (\rank (S + X + Y)%MS + \rank S <= \rank (S + X)%MS + \rank (S + Y)%MS)%N.
Proof.
rewrite -(mxrank_sum_cap (S + X)%MS (S + Y)%MS); apply: leq_add; apply: mxrankS.
  by rewrite addsmxS // addsmxSr.
by rewrite sub_capmx !addsmxSl.
Qed.

(* Lemma "fewer states" (b), for numbers d k of which no step is greater than the one before. *)
Theorem concave_bound (d : nat -> nat) (j n u l : nat) :
  (forall k, (d k.+2 + d k <= d k.+1 + d k.+1)%N) -> (d j.+1 <= u)%N -> (l <= d j)%N ->
  (d (j.+1 + n) + n * l <= u + n * u)%N.
Proof.
move=> h a b.
have step k : (d (j + k).+1 + d j <= d j.+1 + d (j + k))%N.
  elim: k => [|k hk]; first by rewrite addn0.
  by move: (h (j + k)%N) hk; rewrite addnS => /leP hh /leP hk; apply/leP; rewrite -?plusE in hh hk *; lia.
elim: n => [|n hn]; first by rewrite addn0 !mul0n !addn0.
move: hn (step n.+1) a b; rewrite !addnS !addSn !mulSn => /leP hn /leP hs /leP a /leP b.
by apply/leP; rewrite -?plusE in hn hs *; lia.
Qed.

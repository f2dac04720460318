(* The generic rank is the greatest rank at a rational point. *)

From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory Num.Theory.

(* A polynomial that is not zero has a rational value that is not zero. *)
Lemma nonroot (f : {poly rat}) : f != 0 -> exists x, f.[x] != 0.
Proof.
move=> f0; pose s := [seq i%:R | i <- iota 0 (size f)] : seq rat.
have us : uniq s by rewrite map_inj_uniq ?iota_uniq // => i j /eqP; rewrite eqr_nat => /eqP.
have : ~~ all (root f) s.
  by apply/negP => h; have := max_poly_roots f0 h us; rewrite size_map size_iota ltnn.
by rewrite -has_predC => /hasP [x _ hx]; exists x.
Qed.

Definition low n (m : 'X_{1..n.+1}) : 'X_{1..n} := [multinom m (widen_ord (leqnSn n) i) | i < n].

Lemma low_inj n (m1 m2 : 'X_{1..n.+1}) : low m1 = low m2 -> m1 ord_max = m2 ord_max -> m1 = m2.
Proof.
move=> /mnmP h e; apply/mnmP => i.
case: (unliftP ord_max i) => [j|] -> //.
have := h j; rewrite !mnmE.
by have -> : widen_ord (leqnSn n) j = lift ord_max j by apply/val_inj; rewrite /= /bump leqNgt ltn_ord add0n.
Qed.

Lemma muni_neq0 n (f : {mpoly rat[n.+1]}) : f != 0 -> muni f != 0.
Proof.
move=> f0; have [m hm] : exists m, m \in msupp f.
  by have := msupp_eq0 f; case: (msupp f) f0 => [|m s] /negbTE -> // _; exists m; rewrite inE eqxx.
apply/negP => /eqP e; have : ((muni f)`_(m ord_max))@_(low m) = 0 by rewrite e coef0 mcoeff0.
rewrite muniE coef_sum raddf_sum /= (bigD1_seq m) ?msupp_uniq //=.
rewrite coefZ coefXn eqxx mulr1 mcoeffZ mcoeffX eqxx mulr1 big1_seq ?addr0; last first.
  move=> m' /andP [hne _]; rewrite coefZ coefXn; case: eqP => [h|]; last by rewrite mulr0 mcoeff0.
  rewrite mulr1 mcoeffZ mcoeffX; case: eqP => [/= hl|]; last by rewrite mulr0.
  by move: hne; rewrite (low_inj hl (esym h)) eqxx.
by move/eqP; rewrite mcoeff_eq0 hm.
Qed.

Lemma meval_muni n (f : {mpoly rat[n.+1]}) (v : 'I_n.+1 -> rat) :
  f.@[v] = (map_poly (meval (fun i : 'I_n => v (widen_ord (leqnSn n) i))) (muni f)).[v ord_max].
Proof.
rewrite muniE raddf_sum /= horner_sum mevalE; apply: eq_bigr => m _.
rewrite -mul_polyC rmorphM /= map_polyC map_polyXn /= hornerM hornerC hornerXn.
rewrite mevalZ mevalX big_ord_recr /= mulrA; congr (_ * _ * _).
by apply: eq_bigr => i _; rewrite mnmE.
Qed.

Lemma nonzero_value n (f : {mpoly rat[n]}) : f != 0 -> exists v, f.@[v] != 0.
Proof.
elim: n f => [|n IH] f f0.
  exists (fun _ => 0); move: f0; apply: contraNneq => h.
  apply/eqP/mpolyP => m; rewrite mcoeff0.
  have E : f = (f@_0)%:MP.
    apply/mpolyP => k; rewrite mcoeffC; have -> : k = 0%MM by apply/mnmP => -[].
    by rewrite eqxx mulr1.
  have -> : m = 0%MM by apply/mnmP => -[].
  by have := h; rewrite {1}E mevalC.
have := muni_neq0 f0; rewrite -lead_coef_eq0 => /IH [w hw].
have : map_poly (meval w) (muni f) != 0.
  apply: contraNneq hw => h; have := congr1 (fun g : {poly rat} => g`_(size (muni f)).-1) h.
  by rewrite coef_map coef0 => e; apply/eqP.
move/nonroot => [x hx].
exists (fun i => if unlift ord_max i is Some j then w j else x).
rewrite meval_muni unlift_none (_ : map_poly _ _ = map_poly (meval w) (muni f)) //.
apply: eq_map_poly => g; apply: meval_eq => i.
have -> : widen_ord (leqnSn n) i = lift ord_max i by apply/val_inj; rewrite /= /bump leqNgt ltn_ord add0n.
by rewrite liftK.
Qed.

(* The ranks of a matrix of polynomials: over the field of rational functions, and at points. *)
Section GenericRank.
Variables (n p q : nat) (J : 'M[{mpoly rat[n]}]_(p, q)).

Let tofrac := [rmorphism of @FracField.tofrac [idomainType of {mpoly rat[n]}]].
Definition generic_rank : nat := \rank (map_mx tofrac J).

Lemma tofrac_inj : injective tofrac.
Proof. by move=> x y /eqP; rewrite tofrac_eq => /eqP. Qed.

(* A matrix of rank r over a field has a minor of size r that is not zero. *)
Lemma minor_of_rank (F : fieldType) (A : 'M[F]_(p, q)) :
  exists f : 'I_(\rank A) -> 'I_p, exists g : 'I_(\rank A) -> 'I_q, \det (mxsub f g A) != 0.
Proof.
have [f hf] : exists f : 'I_(\rank A) -> 'I_p, \rank (rowsub f A) = \rank A.
  by exists (maxrankfun A); rewrite eq_maxrowsub.
have [g hg] : exists g : 'I_(\rank A) -> 'I_q, \rank (colsub g (rowsub f A)) = \rank A.
  have e : \rank (rowsub f A)^T = \rank A by rewrite mxrank_tr.
  have : exists g : 'I_(\rank (rowsub f A)^T) -> 'I_q, \rank (rowsub g (rowsub f A)^T) = \rank A.
    by exists (maxrankfun (rowsub f A)^T); rewrite eq_maxrowsub.
  rewrite e => -[g hg]; exists g; rewrite -[RHS]hg -mxrank_tr; congr (\rank _).
  by apply/matrixP => i j; rewrite !mxE.
exists f, g; rewrite mxsubcr -unitfE -unitmxE -row_free_unit.
by rewrite /row_free hg.
Qed.

Lemma generic_minor : exists f : 'I_generic_rank -> 'I_p, exists g : 'I_generic_rank -> 'I_q, \det (mxsub f g J) != 0.
Proof.
have [f [g h]] := minor_of_rank (map_mx tofrac J).
exists f, g; move: h; rewrite -map_mxsub det_map_mx.
by apply: contraNneq => ->; rewrite rmorph0.
Qed.

Lemma rank_at_most (v : 'I_n -> rat) : (\rank (map_mx (meval v) J) <= generic_rank)%N.
Proof.
have [f [g h]] := minor_of_rank (map_mx (meval v) J).
apply: leq_trans (mxrank_mxsub f g _).
suff u : mxsub f g (map_mx tofrac J) \in unitmx by rewrite mxrank_unit.
rewrite unitmxE unitfE -map_mxsub det_map_mx.
move: h; rewrite -map_mxsub det_map_mx; apply: contraNneq => /= h.
by rewrite (tofrac_inj (etrans h (esym (rmorph0 tofrac)))) meval0.
Qed.

Lemma rank_attained : exists v : 'I_n -> rat, \rank (map_mx (meval v) J) = generic_rank.
Proof.
have [f [g /nonzero_value [v h]]] := generic_minor.
exists v; apply/eqP; rewrite eqn_leq rank_at_most /=.
apply: leq_trans (mxrank_mxsub f g _).
suff u : mxsub f g (map_mx (meval v) J) \in unitmx by rewrite mxrank_unit.
by rewrite unitmxE unitfE -map_mxsub det_map_mx.
Qed.

End GenericRank.

(* Lemma "generic rank" (a): the dimension is the greatest rank of the Jacobian at a rational point. *)
Theorem dimension_greatest (net : network) :
  (forall point, \rank (jacobian_at net point) <= dimension net)%N /\
  (exists point, \rank (jacobian_at net point) = dimension net).
Proof.
split; first exact: rank_at_most.
exact: rank_attained.
Qed.

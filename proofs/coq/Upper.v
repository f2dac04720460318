(* Upper bounds: counting, ambient, and equations in general: rows that annihilate the Jacobian. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Lemma "counting and ambient" (a). *)
Theorem counting (net : network) : (dimension net <= parameters net)%N.
Proof. exact: rank_leq_col. Qed.

Section Annihilators.
Variable net : network.
Let n := parameters net.
Let k := size (variables net).
Let size_of v := states (variable_at net v).
Let tofrac := [rmorphism of @FracField.tofrac [idomainType of {mpoly rat[n]}]].
Let J := map_mx tofrac (jacobian net).

(* Lemma "equations" (a), over the field of rational functions. *)
Theorem annihilators r (W : 'M_(r, size (cells net))) : W *m J = 0 -> (\rank W + dimension net <= size (cells net))%N.
Proof. exact: mulmx0_rank_max. Qed.

(* A functional of the cells that is constant gives such a row. *)
Lemma constant_functional w c : functional net w = c%:MP ->
  (\row_o (cell_weight (seen net) w (nth [::] (cells net) o))%:R) *m J = 0.
Proof.
move=> h; apply/rowP => j; rewrite [RHS]mxE -[RHS](rmorph0 tofrac).
have <- : (functional net w)^`M(j) = 0 by rewrite h mderivC.
rewrite mxE /functional (raddf_sum (mderiv_additive rat_Ring j)) rmorph_sum; apply: eq_bigr => o _ /=.
by rewrite !mxE -mpolyC_nat mderiv_mulC rmorphM /= mpolyC_nat rmorph_nat.
Qed.

(* Weights that sum to 1 for each variable that is given, and none for others. *)
Definition conditioning (w : seq (seq N)) : bool :=
  all (fun v => if given (variable_at net v)
    then foldr (fun s a => nat_of_bin (weight_of w v s) + a)%N 0%N (iota 0 (size_of v)) == 1%N
    else size (nth [::] w v) == 0%N) (iota 0 k).

Lemma sum_weighted w : proper net -> conditioning w -> \sum_(x <- joint_states (sizes net)) weighted net w x = 1.
Proof.
move=> hp /allP hw.
pose f v x : {mpoly rat[n]} := (nat_of_bin (weight_of w v (nth 0%N x v)))%:R * chance net v x.
have -> : joint_states (sizes net) = joint_states (take k (sizes net)) by rewrite take_oversize // size_map.
rewrite /weighted -/k.
suff h v : (v <= k)%N -> \sum_(x <- joint_states (take v (sizes net))) \prod_(u <- iota 0 v) f u x = 1 by apply: h.
elim: v => [|v IH] hv; first by rewrite take0 /= big_seq1 big_nil.
rewrite sum_joint_states // -[RHS](IH (ltnW hv)) big_seq [RHS]big_seq; apply: eq_bigr => x hx.
have sz : size (take v (sizes net)) = v by rewrite size_take size_map hv.
have hb u : (u < v)%N -> (nth 0 x u < size_of u)%N.
  move=> hu; have := joint_states_bound hx; rewrite sz => /(_ u hu).
  by rewrite nth_take // /sizes (nth_map (Var 1 Hidden [::] [::])) // (ltn_trans hu hv).
have [/allP hpar _ hsum] := hp v hv.
transitivity (\sum_(s <- iota 0 (size_of v)) (\prod_(u <- iota 0 v) f u x) * f v (set_nth 0%N x v s)).
  apply: eq_bigr => s _; rewrite -addn1 iotaD add0n big_cat /= big_seq1; congr (_ * _).
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => u; rewrite mem_iota add0n /= => hu.
  have e : nth 0%N (set_nth 0%N x v s) u = nth 0%N x u by rewrite nth_set; case: eqP hu => // ->; rewrite ltnn.
  rewrite /f e; congr (_ * _); apply: chance_ext => // q hq; rewrite nth_set; case: eqP => // eq.
  have [/allP hpu _ _] := hp u (ltn_trans hu hv).
  by have := ltn_trans (hpu q hq) hu; rewrite eq ltnn.
rewrite -mulr_sumr; suff -> : \sum_(s <- iota 0 (size_of v)) f v (set_nth 0%N x v s) = 1 by rewrite mulr1.
have := hw v; rewrite mem_iota add0n /= => /(_ hv); case: ifP => hg.
  move=> /eqP e; transitivity (1%N%:R : {mpoly rat[n]}); last by [].
  rewrite -e; elim: (iota 0 (size_of v)) => [|s l IHl]; first by rewrite big_nil.
  by rewrite big_cons IHl /= natrD /f nth_set eqxx /chance hg mulr1.
move=> /eqP /size0nil e; rewrite -(chances_sum_to_1 hp hv hb) ?hg //.
by apply: eq_bigr => s _; rewrite /f /weight_of e nth_nil mul1r.
Qed.

Lemma conditioning_unweighted w : conditioning w -> unweighted net w.
Proof.
move=> /allP h; apply/allP => v hv; apply/implyP => hh; have := h v hv.
by rewrite /given; move: hh; rewrite /hidden; case: (place _).
Qed.

Lemma functional_conditioning w : proper net -> conditioning w -> functional net w = 1.
Proof. by move=> hp hw; rewrite -functionalP ?sum_weighted //; apply: conditioning_unweighted. Qed.

(* Lemma "counting and ambient" (b), where nothing is given. *)
Theorem ambient : proper net -> ~~ has given (variables net) -> (dimension net <= complete net)%N.
Proof.
move=> hp hg.
have hc : conditioning [::].
  apply/allP => v; rewrite mem_iota add0n /= => hv; case: ifP; last by rewrite nth_nil.
  move: (hg); rewrite -all_predC => /(all_nthP (Var 1 Hidden [::] [::])) /(_ v hv) /=.
  by rewrite -/(variable_at net v) => /negbTE ->.
have e := @constant_functional [::] 1; have := annihilators (e (functional_conditioning hp hc)).
set W := \row_o _ => h; rewrite /complete.
have -> : [seq V <- variables net | given V] = [::].
  by apply: size0nil; apply/eqP; rewrite size_filter -leqn0 leqNgt -has_count.
suff rW : \rank W = 1%N by rewrite subn1 -ltnS prednK ?(leq_trans _ h) // ?rW // -add1n -rW.
apply/eqP; rewrite eqn_leq rank_leq_row lt0n mxrank_eq0.
have : (0 < size (cells net))%N.
  rewrite /cells; have : all (leq 1) (mask (seen net) (sizes net)).
    apply/(all_nthP 0%N) => i hi; have : nth 0%N (mask (seen net) (sizes net)) i \in sizes net by apply: mem_mask; apply: mem_nth.
    move/(nthP 0%N) => [v]; rewrite size_map => hv <-; rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) //.
    by have [_ h0 _] := hp v hv.
  elim: (mask _ _) => //= r s IH /andP [hr /IH]; rewrite size_allpairs size_iota muln_gt0 => ->.
  by rewrite andbT.
move=> h0; apply/eqP => /rowP /(_ (Ordinal h0)); rewrite !mxE /=.
suff -> : cell_weight (seen net) [::] (nth [::] (cells net) 0) = 1%N by move/eqP; rewrite oner_eq0.
by elim: (seen net) (nth _ _ _) => //= b s IH o; case: b; rewrite IH // nth_nil.
Qed.

End Annihilators.

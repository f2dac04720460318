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

(* The same with those parameters alone that occur in a table that counts: the others have no derivative. *)
Lemma all_nth_nil (T : Type) (P : pred T) (ss : seq (seq T)) i : all (all P) ss -> all P (nth [::] ss i).
Proof. by elim: ss i => [|s ss IH] [|i] //= /andP [h /IH]. Qed.

Lemma all_flattened (T : Type) (P : pred T) (ss : seq (seq T)) : all P (flatten ss) = all (all P) ss.
Proof. by elim: ss => //= s ss IH; rewrite all_cat IH. Qed.

Lemma weight_no_derivative (net : network) (j : 'I_(parameters net)) x :
  Some (nat_of_ord j) \notin occurring net -> (weight net x)^`M(j) = 0.
Proof.
move=> hj; have : all (fun t => parameter t != Some (nat_of_ord j)) (flatten (flatten (flatten [seq table V | V <- variables net & ~~ given V]))).
  move: hj; rewrite /occurring; elim: (flatten _) => //= t l IH; by rewrite inE negb_or eq_sym => /andP [-> /IH].
rewrite !all_flattened all_map => hall; rewrite /weight.
suff h l : all (fun v => v < size (variables net))%N l -> (\prod_(v <- l) chance net v x)^`M(j) = 0.
  by apply: h; apply/allP => v; rewrite mem_iota.
elim: l => [|v l IH] /=; first by rewrite big_nil => _; exact: (mderivC j 1).
move=> /andP [hv hl]; rewrite big_cons mderivM IH // mulr0 addr0.
suff -> : (chance net v x)^`M(j) = 0 by rewrite mul0r.
rewrite /chance; case: ifP => hg; first exact: (mderivC j 1).
have : all (fun t => parameter t != Some (nat_of_ord j)) (entry_of net v x).
  apply: all_nth_nil; apply: all_nth_nil; move: hall; rewrite all_filter => /(all_nthP (Var 1 Hidden [::] [::])) /(_ v hv) /=.
  by rewrite -/(variable_at net v) hg.
rewrite /entry_value; elim: (entry_of net v x) => [|t e IHe] /=; first by rewrite big_nil mderiv0.
move=> /andP [ht he]; rewrite big_cons mderivD IHe // addr0 /term_value mderivZ.
suff -> : (if parameter t is Some q then unknown (parameters net) q else 1)^`M(j) = 0 by rewrite scaler0.
case: (parameter t) ht => [q|] hq; last exact: (mderivC j 1).
rewrite /unknown; case: insubP => [i _ hi|_]; last by rewrite mderiv0.
rewrite mderivX mnm1E; have [e'|_] := eqVneq i j; last by rewrite scale0r.
by move: hq; rewrite -hi e' eqxx.
Qed.

Lemma no_derivative (net : network) (j : 'I_(parameters net)) o :
  Some (nat_of_ord j) \notin occurring net -> (coordinate net o)^`M(j) = 0.
Proof.
move=> hj; rewrite /coordinate (raddf_sum (mderiv_additive rat_Ring j)) big1 // => x _ /=.
exact: weight_no_derivative.
Qed.

Definition occurring_parameters (net : network) : seq nat :=
  let marks := occurrences net in [seq j <- iota 0 (parameters net) | nth false marks j].

Theorem counting_occurring (net : network) : (dimension net <= size (occurring_parameters net))%N.
Proof.
pose n := parameters net; pose U := [seq j <- enum 'I_n | Some (nat_of_ord j) \in occurring net].
have -> : size (occurring_parameters net) = size U.
  rewrite /occurring_parameters /= -val_enum_ord filter_map size_map; congr size.
  by apply: eq_filter => j /=; rewrite occurrencesP.
rewrite /dimension; set J := map_mx _ _.
have -> : J = (\matrix_(i < size (cells net), t < size U) J i (tnth (in_tuple U) t)) *m (\matrix_(t < size U, j < n) (tnth (in_tuple U) t == j)%:R).
  apply/matrixP => i j; rewrite [RHS]mxE; under eq_bigr do rewrite !mxE.
  rewrite -(big_tnth 0 +%R U xpredT (fun q => (@FracField.tofrac _ (coordinate net (nth [::] (cells net) i))^`M(q)) * (q == j)%:R)).
  rewrite big_filter big_enum_cond /= !mxE; have [h|h] := boolP (Some (nat_of_ord j) \in occurring net).
    rewrite (bigD1 j) //= eqxx mulr1 big1 ?addr0 // => q /andP [_ hq]; by rewrite (negbTE hq) mulr0.
  rewrite no_derivative // rmorph0 big1 // => q hq; case: eqP hq => [->|_ _]; last by rewrite mulr0.
  by rewrite (negbTE h).
exact: mulmx_max_rank.
Qed.

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

Lemma sum_weighted w : proper_variables net -> conditioning w -> \sum_(x <- joint_states (sizes net)) weighted net w x = 1.
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

Lemma functional_conditioning w : proper_variables net -> conditioning w -> functional net w = 1.
Proof. by move=> hp hw; rewrite -functionalP ?sum_weighted //; apply: conditioning_unweighted. Qed.

(* The weights that ask for the states of what is given in a joint state. *)
Definition units (x : seq nat) : seq (seq N) :=
  [seq if given (variable_at net v) then [seq bin_of_nat (s == nth 0%N x v) | s <- iota 0 (size_of v)] else [::] | v <- iota 0 k].

Lemma weight_units x v s : (v < k)%N -> (s < size_of v)%N ->
  nat_of_bin (weight_of (units x) v s) = (given (variable_at net v) ==> (s == nth 0%N x v)).
Proof.
move=> hv hs; rewrite /weight_of /units (nth_map 0%N) ?size_iota // nth_iota // add0n.
case: (given _); last by rewrite nth_nil.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n bin_of_natK.
Qed.

Lemma conditioning_units x : (forall v, v < k -> nth 0 x v < size_of v)%N -> conditioning (units x).
Proof.
move=> hx; apply/allP => v; rewrite mem_iota add0n /= => hv; case: ifP => hg; last first.
  by rewrite /units (nth_map 0%N) ?size_iota // nth_iota // add0n hg.
suff gen l : all (fun s => s < size_of v)%N l ->
    foldr (fun s a => nat_of_bin (weight_of (units x) v s) + a)%N 0%N l = count_mem (nth 0%N x v) l.
  rewrite gen; first by rewrite count_uniq_mem ?iota_uniq // mem_iota add0n hx.
  by apply/allP => s; rewrite mem_iota.
elim: l => //= s l IH /andP [hs /IH ->]; by rewrite weight_units // hg.
Qed.

(* A joint state with certain states where b says so. *)
Fixpoint spread (b : seq bool) (g : seq nat) : seq nat :=
  match b with
  | [::] => [::]
  | true :: b' => head 0%N g :: spread b' (behead g)
  | false :: b' => 0%N :: spread b' g
  end.

Lemma spreadP b s g : size b = size s -> all (leq 1) s -> g \in joint_states (mask b s) ->
  spread b g \in joint_states s /\ mask b (spread b g) = g.
Proof.
elim: b s g => [|c b IH] [|r s] g //=; first by rewrite inE => _ _ /eqP ->.
move=> [e] /andP [hr hs]; case: c => /=.
  move=> /allpairsP [[a y] /= [ha hy ->]]; have [h1 h2] := IH s y e hs hy; split; last by rewrite /= h2.
  exact: allpairs_f.
by move=> hg; have [h1 h2] := IH s g e hs hg; split=> //; apply: allpairs_f => //; rewrite mem_iota.
Qed.

Lemma eq_mask b (x y : seq nat) : size x = size b -> size y = size b ->
  (forall v, v < size b -> nth false b v -> nth 0 x v = nth 0 y v)%N -> mask b x = mask b y.
Proof.
elim: b x y => [|c b IH] [|s x] [|r y] //= [hx] [hy] h.
have e : mask b x = mask b y by apply: IH => // v hv hb; apply: (h v.+1).
by case: c h => h; rewrite e //; congr (_ :: _); apply: (h 0%N).
Qed.

Lemma prod_neq0 (l : seq nat) (F : nat -> nat) : (\prod_(v <- l) F v)%N != 0%N -> all (fun v => F v != 0%N) l.
Proof. by elim: l => //= v l IH; rewrite big_cons muln_eq0 negb_or => /andP [-> /IH ->]. Qed.

(* Lemma "counting and ambient" (b). *)
Theorem ambient : proper_variables net -> (dimension net <= complete net)%N.
Proof.
move=> hp; pose b := [seq given V | V <- variables net]; pose G := joint_states (mask b (sizes net)).
have hG : G = joint_states [seq states V | V <- variables net & given V] by rewrite /G /b /sizes filter_mask map_mask.
have sb : size b = size (sizes net) by rewrite !size_map.
have hpos : all (leq 1) (sizes net).
  apply/(all_nthP 0%N) => v; rewrite size_map => hv; rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) //.
  by have [_ h _] := hp v hv.
pose full i := spread b (nth [::] G i).
have fullP (i : 'I_(size G)) : full i \in joint_states (sizes net) /\ mask b (full i) = nth [::] G i.
  by apply: spreadP => //; apply: mem_nth.
have size_full (i : 'I_(size G)) : size (full i) = k by rewrite (size_joint_states (proj1 (fullP i))) size_map.
have bound_full (i : 'I_(size G)) v : (v < k)%N -> (nth 0 (full i) v < size_of v)%N.
  move=> hv; have := joint_states_bound (proj1 (fullP i)); rewrite size_map => /(_ v hv).
  by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])).
pose W : 'M[{fraction {mpoly rat[n]}}]_(size G, size (cells net)) :=
  \matrix_(i, o) (cell_weight (seen net) (units (full i)) (nth [::] (cells net) o))%:R.
have hW : W *m J = 0.
  apply/row_matrixP => i; rewrite row_mul row0.
  have -> : row i W = \row_o (cell_weight (seen net) (units (full i)) (nth [::] (cells net) o))%:R.
    by apply/rowP => o; rewrite !mxE.
  apply: (@constant_functional _ 1); apply: functional_conditioning => //.
  by apply: conditioning_units => v hv; apply: bound_full.
have hc (i : 'I_(size G)) : mask (seen net) (full i) \in cells net.
  by apply: mask_joint_states; have [] := fullP i.
pose f (i : 'I_(size G)) := Ordinal (etrans (index_mem _ _) (hc i)).
have hf : colsub f W = 1%:M.
  apply/matrixP => i j; rewrite !mxE /= nth_index //.
  have ss : size (seen net) = k by rewrite size_map.
  rewrite -cell_weightP ?ss; last 2 first.
  - exact: size_full.
  - move=> v hv; rewrite /seen (nth_map (Var 1 Hidden [::] [::])) // negbK => hh.
    rewrite /units (nth_map 0%N) ?size_iota // nth_iota // add0n /given.
    by move: hh; rewrite /hidden /variable_at; case: (place _).
  have [<-|ne] := eqVneq i j.
    rewrite big1_seq // => v; rewrite mem_iota add0n /= => hv; rewrite weight_units ?bound_full //.
    by rewrite eqxx implybT.
  suff /eqP -> : (\prod_(v <- iota 0 k) nat_of_bin (weight_of (units (full i)) v (nth 0%N (full j) v)))%N == 0%N by [].
  apply: contraNT ne => /prod_neq0 /allP h; apply/eqP/val_inj/eqP => /=.
  rewrite -(nth_uniq [::] (ltn_ord i) (ltn_ord j) (uniq_joint_states _)); apply/eqP.
  have [_ <-] := fullP i; have [_ <-] := fullP j.
  apply: eq_mask; rewrite ?size_full ?sb ?size_map // => v hv.
  rewrite /b (nth_map (Var 1 Hidden [::] [::])) // -/(variable_at net v) => hg.
  have := h v; rewrite mem_iota add0n /= => /(_ hv); rewrite weight_units ?bound_full // hg /=.
  by rewrite eqb0 negbK => /eqP ->.
have rW : (size G <= \rank W)%N.
  by rewrite -{1}(mxrank1 [fieldType of {fraction {mpoly rat[n]}}] (size G)) -hf -[W in colsub f W]mulmx1 -mulmx_colsub mxrankM_maxl.
rewrite /complete -hG -(addKn (size G) (dimension net)); apply: leq_sub2r.
by apply: leq_trans (annihilators hW); rewrite leq_add2r.
Qed.

End Annihilators.

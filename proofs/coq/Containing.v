(* Upper bounds by a model that contains this one: the parameters of the other network take values that are sums of numbers
   times the parameters of this one. *)

From Coq Require Import BinNums BinNat BinInt.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper Upper.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)
Definition same_role (a b : role) : bool :=
  match a, b with Hidden, Hidden | Observed, Observed | Given, Given => true | _, _ => false end.

Definition scaled (t u : term) : term := Term (Z.mul (numerator t) (numerator u)) (Pos.mul (denominator t) (denominator u)) (parameter u).
Definition negative (t : term) : term := Term (Z.opp (numerator t)) (denominator t) (parameter t).
Definition substituted (values : seq entry) (e : entry) : entry :=
  flatten [seq (if parameter t is Some k then [seq scaled t u | u <- nth [::] values k] else [:: t]) | t <- e].
Definition same_entry (e f : entry) : bool :=
  let terms := e ++ [seq negative t | t <- f] in
  all (fun k => terms_sum [seq t <- terms | parameter t == k] 0) (undup [seq parameter t | t <- terms]).

(* Whether the network is the other one where its parameters take these values. *)
Definition is_contained (net other : network) (values : seq entry) : bool :=
  let k := size (variables net) in
  [&& size (variables other) == k, size values == parameters other &
    all (fun v => let V := variable_at net v in let W := variable_at other v in
      [&& states V == states W, same_role (place V) (place W), parents V == parents W &
        given V || all (fun i => all (fun s =>
          same_entry (nth [::] (nth [::] (table V) i) s) (substituted values (nth [::] (nth [::] (table W) i) s)))
          (iota 0 (states V))) (iota 0 (size (table V)))]) (iota 0 k)].

(* What is computed is right ---------------------------------------------------------------------------------------- *)
Section ChainRule.
Variables (n n' : nat) (lq : n'.-tuple {mpoly rat[n]}).

Lemma chain_rule (p : {mpoly rat[n']}) (j : 'I_n) :
  (p \mPo lq)^`M(j) = \sum_(i < n') (p^`M(i) \mPo lq) * (tnth lq i)^`M(j).
Proof.
pose P (q : {mpoly rat[n']}) := (q \mPo lq)^`M(j) = \sum_(i < n') (q^`M(i) \mPo lq) * (tnth lq i)^`M(j).
rewrite -/(P p).
have pC c : P c%:MP.
  by rewrite /P comp_mpolyC mderivC big1 // => i _; rewrite mderivC comp_mpoly0 mul0r.
have pD q r : P q -> P r -> P (q + r).
  move=> hq hr; rewrite /P comp_mpolyD mderivD hq hr -big_split; apply: eq_bigr => i _ /=.
  by rewrite mderivD comp_mpolyD mulrDl.
have pM q r : P q -> P r -> P (q * r).
  move=> hq hr; rewrite /P rmorphM mderivM hq hr mulr_suml mulr_sumr -big_split; apply: eq_bigr => i _ /=.
  by rewrite mderivM comp_mpolyD !rmorphM /= mulrDl mulrAC mulrA.
have pX i : P 'X_i.
  rewrite /P comp_mpolyXU -tnth_nth (bigD1 i) //= mderiv_unknown eqxx rmorph1 mul1r big1 ?addr0 // => l hl.
  by rewrite mderiv_unknown eq_sym (negbTE hl) comp_mpoly0 mul0r.
elim/mpolyind: p => [|c m p _ _ hp]; first by rewrite -mpolyC0; exact: pC.
apply: (pD) => //; rewrite -mul_mpolyC; apply: (pM); first exact: pC.
rewrite mpolyXE_id; elim/big_rec: _ => [|i q _ hq]; first exact: pC.
apply: (pM) => //; elim: (m i) => [|e IH]; first by rewrite expr0; exact: pC.
by rewrite exprS; apply: pM.
Qed.

(* The rank after a substitution is at most the generic rank. *)
Lemma rank_substituted p q (J : 'M[{mpoly rat[n']}]_(p, q)) :
  (\rank (map_mx (@FracField.tofrac _) (map_mx (comp_mpoly lq) J)) <= generic_rank J)%N.
Proof.
set A := map_mx _ (map_mx _ J); have [f [g h]] := minor_of_rank A.
apply: leq_trans (mxrank_mxsub f g _); rewrite mxrank_unit // unitmxE unitfE -map_mxsub det_map_mx.
move: h; rewrite /A -!map_mxsub !det_map_mx; apply: contraNneq => /= h.
by rewrite (tofrac_inj (etrans h (esym (rmorph0 [rmorphism of @FracField.tofrac _])))) comp_mpoly0 rmorph0.
Qed.

End ChainRule.

Section Entries.
Variable n : nat.

Lemma int_of_mul a b : int_of (Z.mul a b) = int_of a * int_of b.
Proof.
have h p q : (nat_of_pos (Pos.mul p q))%:Z = (nat_of_pos p)%:Z * (nat_of_pos q)%:Z by rewrite nat_of_mul_pos PoszM.
by case: a b => [|a|a] [|b|b] //=; rewrite ?mul0r ?mulr0 ?h ?mulNr ?mulrN ?opprK.
Qed.

Lemma coefficient_scaled t u : coefficient (scaled t u) = coefficient t * coefficient u.
Proof. by rewrite /coefficient /= int_of_mul nat_of_mul_pos rmorphM natrM /= invfM mulrACA. Qed.

Lemma coefficient_negative t : coefficient (negative t) = - coefficient t.
Proof. by rewrite /coefficient /=; case: (numerator t) => [|a|a] /=; rewrite ?oppr0 ?mul0r ?oppr0 // ?rmorphN ?mulNr ?opprK. Qed.

Lemma entry_cat e f : entry_value n (e ++ f) = entry_value n e + entry_value n f.
Proof. by rewrite /entry_value big_cat. Qed.

Lemma same_entryP e f : same_entry e f -> entry_value n e = entry_value n f.
Proof.
move=> /allP h; set terms := e ++ _ in h.
have hn : entry_value n [seq negative t | t <- f] = - entry_value n f.
  rewrite /entry_value big_map -sumrN; apply: eq_bigr => t _.
  by rewrite /term_value coefficient_negative scaleNr.
suff e0 : entry_value n terms = 0 by move: e0; rewrite entry_cat hn => /eqP; rewrite subr_eq0 => /eqP.
rewrite /entry_value (grouped_terms n terms) big1_seq // => k /andP [_ hk].
by rewrite -big_filter (terms_sumP (h k hk)) scale0r.
Qed.

End Entries.

Section Contained.
Variables (net other : network) (values : seq entry).
Hypothesis hp : proper_variables net.
Hypothesis hc : is_contained net other values.
Let n := parameters net.
Let n' := parameters other.
Let k := size (variables net).
Let lq : n'.-tuple {mpoly rat[n]} := [tuple entry_value n (nth [::] values i) | i < n'].

Let size_other : size (variables other) = k. Proof. by case/and3P: hc => /eqP. Qed.
Let size_values : size values = n'. Proof. by case/and3P: hc => _ /eqP. Qed.

Lemma same_at v : (v < k)%N -> [/\ states (variable_at net v) = states (variable_at other v),
  place (variable_at net v) = place (variable_at other v), parents (variable_at net v) = parents (variable_at other v) &
  given (variable_at net v) || all (fun i => all (fun s => same_entry (nth [::] (nth [::] (table (variable_at net v)) i) s)
      (substituted values (nth [::] (nth [::] (table (variable_at other v)) i) s))) (iota 0 (states (variable_at net v))))
    (iota 0 (size (table (variable_at net v))))].
Proof.
move=> hv; case/and3P: hc => _ _ /allP /(_ v); rewrite mem_iota add0n => /(_ hv) /and4P [/eqP h1 h2 /eqP h3 h4]; split=> //.
by move: h2; case: (place _); case: (place _).
Qed.

Lemma sizes_other : sizes other = sizes net.
Proof.
apply: (@eq_from_nth _ 0%N); rewrite !size_map ?size_other // => v hv.
rewrite !(nth_map (Var 1 Hidden [::] [::])) ?size_other //.
by have [] := same_at hv.
Qed.

Lemma seen_other : seen other = seen net.
Proof.
apply: (@eq_from_nth _ false); rewrite !size_map ?size_other // => v hv.
rewrite !(nth_map (Var 1 Hidden [::] [::])) ?size_other //.
by have [_ h2 _ _] := same_at hv; rewrite /hidden -/(variable_at other v) -/(variable_at net v) h2.
Qed.

Lemma unknown_other i : unknown n' i \mPo lq = entry_value n (nth [::] values i).
Proof.
rewrite /unknown; case: insubP => [j hj e|hj].
  have h : tnth lq j = entry_value n (nth [::] values i) by rewrite /lq tnth_mktuple e.
  by rewrite comp_mpolyXU -h (tnth_nth 0).
have hi : (size values <= i)%N by rewrite size_values leqNgt.
by rewrite comp_mpoly0 (nth_default _ hi) /entry_value big_nil.
Qed.

Lemma substitutedP e : entry_value n (substituted values e) = entry_value n' e \mPo lq.
Proof.
rewrite /entry_value raddf_sum /substituted big_flatten big_map; apply: eq_bigr => t _ /=.
rewrite /term_value comp_mpolyZ; case e': (parameter t) => [i|]; last by rewrite big_seq1 e' rmorph1.
rewrite big_map unknown_other.
rewrite /entry_value scaler_sumr; apply: eq_bigr => u _.
by rewrite /term_value coefficient_scaled scalerA.
Qed.

Lemma chance_other v x : (v < k)%N -> x \in joint_states (sizes net) -> chance net v x = chance other v x \mPo lq.
Proof.
move=> hv hx; have [h1 h2 h3 h4] := same_at hv; rewrite /chance {2}/given -h2 -/(given _).
case: ifP h4 => [_ _|hg /= h4]; first by rewrite rmorph1.
have hb u : (u < k)%N -> (nth 0 x u < states (variable_at net u))%N.
  move=> hu; have := joint_states_bound hx; rewrite size_map => /(_ u hu).
  by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])).
have hr : (row_number net v x < size (table (variable_at net v)))%N.
  have [_ _ ] := hp hv; rewrite hg => -[-> _]; apply: row_number_bound => // u hu; apply: hb; exact: ltn_trans hu hv.
have e : row_number other v x = row_number net v x.
  rewrite /row_number -h3; have [/allP hpar _ _] := hp hv.
  pose step net' row u := (row * states (variable_at net' u) + nth 0 x u)%N; rewrite -/(step other) -/(step net).
  suff gen ps row : (forall u, u \in ps -> (u < k)%N) -> foldl (step other) row ps = foldl (step net) row ps.
    by apply: gen => u hu; exact: ltn_trans (hpar u hu) hv.
  elim: ps row => //= u ps IH row hps; have [hs _ _ _] := same_at (hps u (mem_head _ _)).
  by rewrite {2}/step -hs -/(step net row u) IH // => q hq; apply: hps; rewrite inE hq orbT.
rewrite -substitutedP /entry_of e; apply: same_entryP.
have /allP a := h4; have /a /allP b : row_number net v x \in iota 0 (size (table (variable_at net v))) by rewrite mem_iota.
by apply: b; rewrite mem_iota; apply: hb.
Qed.

Lemma coordinate_other o : coordinate net o = coordinate other o \mPo lq.
Proof.
rewrite /coordinate raddf_sum sizes_other seen_other big_seq_cond [RHS]big_seq_cond; apply: eq_bigr => x /andP [hx _] /=.
rewrite /weight size_other rmorph_prod big_seq [RHS]big_seq; apply: eq_bigr => v; rewrite mem_iota add0n => /= hv.
exact: chance_other.
Qed.

(* Lemma "containing" (a), where the other model's parameters are functions of this one's. *)
Theorem containing : (dimension net <= dimension other)%N.
Proof.
have ec : cells other = cells net by rewrite /cells seen_other sizes_other.
pose J : 'M[{mpoly rat[n']}]_(size (cells net), n') := \matrix_(i, j) (coordinate other (nth [::] (cells net) i))^`M(j).
have eJ : dimension other = generic_rank J.
  by rewrite /dimension /generic_rank /jacobian /J; move: (cells other) ec => c ->.
pose D : 'M[{mpoly rat[n]}]_(n', n) := \matrix_(i, j) (tnth lq i)^`M(j).
have e : jacobian net = map_mx (comp_mpoly lq) J *m D.
  apply/matrixP => i j; rewrite !mxE coordinate_other chain_rule; apply: eq_bigr => l _.
  by rewrite !mxE.
rewrite eJ /dimension e map_mxM; apply: leq_trans (mxrankM_maxl _ _) _.
exact: rank_substituted.
Qed.

End Contained.

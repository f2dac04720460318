(* A network falls into two parts where no table joins a hidden variable of one with a variable of the other; its dimension
   is at most the sum of the parts' dimensions. *)

From Coq Require Import BinNums BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper Upper Separation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

Lemma mask_eq_at b (x y : seq nat) : size x = size b -> size y = size b -> mask b x = mask b y ->
  forall v, (v < size b)%N -> nth false b v -> nth 0%N x v = nth 0%N y v.
Proof.
elim: b x y => [|c b IH] [|s x] [|r y] //= [hx] [hy] h [|v] //=.
  by case: c h => //= [[->]].
by move=> hv hb; apply: (IH x y) => //; case: c h => //= [[_ ->]].
Qed.

Lemma joint_states_in s x : size x = size s -> (forall v, v < size s -> nth 0 x v < nth 0 s v)%N -> x \in joint_states s.
Proof.
elim: s x => [|r s IH] [|a x] //= [e] h; apply: allpairs_f; first by rewrite mem_iota; apply: (h 0%N).
by apply: IH => // v hv; apply: (h v.+1).
Qed.

(* The coordinate of a cell as a nested sum, with weights that show the cell. *)
Section Shown.
Variable net : network.
Let n := parameters net.
Let k := size (variables net).
Let size_of v := states (variable_at net v).

Definition shown (y : seq nat) : seq (seq N) :=
  [seq if hidden (variable_at net v) then [::] else [seq bin_of_nat (s == nth 0%N y v) | s <- iota 0 (size_of v)] | v <- iota 0 k].

Lemma weight_shown y v s : (v < k)%N -> (s < size_of v)%N ->
  nat_of_bin (weight_of (shown y) v s) = hidden (variable_at net v) || (s == nth 0%N y v).
Proof.
move=> hv hs; rewrite /weight_of /shown (nth_map 0%N) ?size_iota // nth_iota // add0n.
case: (hidden _); first by rewrite nth_nil.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n bin_of_natK.
Qed.

Lemma coordinate_nested y : proper_variables net -> y \in joint_states (sizes net) ->
  coordinate net (mask (seen net) y) = nested net (shown y) (iota 0 k) [::].
Proof.
move=> hp hy; rewrite -(nestedP hp) /coordinate big_mkcond big_seq [RHS]big_seq /=; apply: eq_bigr => x hx.
have sz z : z \in joint_states (sizes net) -> size z = k by move=> hz; rewrite (size_joint_states hz) size_map.
have ss : size (seen net) = k by rewrite size_map.
have bx v : (v < k)%N -> (nth 0 x v < size_of v)%N.
  move=> hv; have := joint_states_bound hx; rewrite size_map => /(_ v hv).
  by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])).
have e : (\prod_(v <- iota 0 k) nat_of_bin (weight_of (shown y) v (nth 0%N x v)))%N = (mask (seen net) x == mask (seen net) y).
  have seenE v : (v < k)%N -> nth false (seen net) v = ~~ hidden (variable_at net v).
    by move=> hv; rewrite /seen (nth_map (Var 1 Hidden [::] [::])).
  case: eqP => [h|h].
    rewrite big1_seq // => v; rewrite mem_iota add0n /= => hv; rewrite weight_shown ?bx //.
    case hh: (hidden _) => //=.
    by rewrite (mask_eq_at _ _ h) ?sz ?ss ?seenE ?hh ?eqxx.
  apply/eqP; apply: contra_notT h => /prod_neq0 /allP h; apply: eq_mask; rewrite ?sz ?ss // => v hv.
  rewrite seenE // => hh; have := h v; rewrite mem_iota add0n /= => /(_ hv); rewrite weight_shown ?bx //.
  by rewrite (negbTE hh) eqb0 negbK => /eqP.
rewrite /weighted big_split /= -natr_prod e; case: eqP => _; first by rewrite mul1r.
by rewrite mul0r.
Qed.

Lemma step_hidden y v vs x : (v < k)%N -> hidden (variable_at net v) ->
  nested net (shown y) (v :: vs) x =
  \sum_(s <- iota 0 (size_of v)) chance net v (set_nth 0%N x v s) * nested net (shown y) vs (set_nth 0%N x v s).
Proof.
move=> hv hh; rewrite /= big_seq [RHS]big_seq; apply: eq_bigr => s; rewrite mem_iota add0n => hs.
by rewrite /factor_at nth_set eqxx weight_shown // hh mul1r.
Qed.

Lemma step_seen y v vs x : (v < k)%N -> ~~ hidden (variable_at net v) -> (nth 0 y v < size_of v)%N ->
  nested net (shown y) (v :: vs) x =
  chance net v (set_nth 0%N x v (nth 0%N y v)) * nested net (shown y) vs (set_nth 0%N x v (nth 0%N y v)).
Proof.
move=> hv hh hy; rewrite /= (bigD1_seq (nth 0%N y v)) ?iota_uniq ?mem_iota //= big1_seq ?addr0.
  by rewrite /factor_at nth_set eqxx weight_shown // eqxx orbT mul1r.
move=> s /andP [hs]; rewrite mem_iota add0n /= => hb.
by rewrite /factor_at nth_set eqxx weight_shown // (negbTE hh) (negbTE hs) !mul0r.
Qed.

End Shown.

Section Parts.
Variables (net : network) (D : seq bool).
Let n := parameters net.
Let k := size (variables net).
Let size_of v := states (variable_at net v).

(* Each variable that is not given is in one of the two parts. In a part its parents outside are given; of what has nothing
   to do with it one state is left. All parameters keep their numbers. *)
Definition on (b : bool) (v : nat) : bool := ~~ given (variable_at net v) && (nth false D v == b).
Definition relevant (b : bool) (v : nat) : bool :=
  on b v || has (fun u => on b u && (v \in parents (variable_at net u))) (iota 0 k).
Definition idle : variable := Var 1 Hidden [::] [:: [:: [:: Term (Zpos xH) xH None]]].
Definition part_variable (b : bool) (v : nat) : variable :=
  let V := variable_at net v in if on b v then V else if relevant b v then Var (states V) Given [::] [::] else idle.
Definition part_of (b : bool) : network := Network (parameters net) [seq part_variable b v | v <- iota 0 k].

Definition splits : bool :=
  [&& all (fun v => let V := variable_at net v in given V ||
        all (fun u => ~~ hidden (variable_at net u) || (nth false D u == nth false D v)) (parents V)) (iota 0 k),
    is_proper_variables (part_of true) & is_proper_variables (part_of false)].

Hypothesis hp : proper_variables net.
Hypothesis hs : splits.

Lemma size_part b : size (variables (part_of b)) = k.
Proof. by rewrite size_map size_iota. Qed.

Lemma variable_at_part b v : (v < k)%N -> variable_at (part_of b) v = part_variable b v.
Proof. by move=> hv; rewrite /variable_at (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma proper_part b : proper_variables (part_of b).
Proof. by case/and3P: hs => _ h1 h2; apply: is_proper_variablesP; case: b. Qed.

Lemma hidden_irrelevant b v : (v < k)%N -> hidden (variable_at net v) -> ~~ on b v -> ~~ relevant b v.
Proof.
move=> hv hh ho; rewrite /relevant (negbTE ho) /=; apply/hasPn => u; rewrite mem_iota add0n /= => hu.
apply/negP => /andP [/andP [hg /eqP hb] hin]; case/and3P: hs => /allP /(_ u) h _ _.
move: h; rewrite mem_iota add0n /= => /(_ hu); rewrite (negbTE hg) /= => /allP /(_ v hin).
rewrite hh /= hb => hD; move: ho; rewrite /on hD andbT negbK /given.
by move: hh; rewrite /hidden; case: (place _).
Qed.

Lemma states_part b u : (u < k)%N -> relevant b u -> states (variable_at (part_of b) u) = size_of u.
Proof. by move=> hu hr; rewrite variable_at_part // /part_variable; case: ifP => // _; rewrite hr. Qed.

Lemma parent_relevant b v u : (v < k)%N -> on b v -> u \in parents (variable_at net v) -> relevant b u.
Proof.
by move=> hv ho hu; apply/orP; right; apply/hasP; exists v; rewrite ?mem_iota ?add0n // ho.
Qed.

Lemma chance_part b v x z : (v < k)%N -> on b v -> (forall u, relevant b u -> nth 0%N x u = nth 0%N z u) ->
  chance net v x = chance (part_of b) v z.
Proof.
move=> hv ho h; have e : variable_at (part_of b) v = variable_at net v by rewrite variable_at_part // /part_variable ho.
have hg : given (variable_at net v) = false by apply/negbTE; case/andP: ho.
have [/allP hpar _ _] := hp hv.
rewrite /chance e hg /entry_of e.
have -> : nth 0%N x v = nth 0%N z v by apply: h; rewrite /relevant ho.
suff -> : row_number net v x = row_number (part_of b) v z by [].
rewrite /row_number e.
have hps : forall u, u \in parents (variable_at net v) -> relevant b u /\ (u < k)%N.
  by move=> u hu; split; [exact: parent_relevant hu | exact: ltn_trans (hpar u hu) hv].
pose step net' w row u := (row * states (variable_at net' u) + nth 0 w u)%N; rewrite -/(step net x) -/(step (part_of b) z).
suff gen ps : (forall u, u \in ps -> relevant b u /\ (u < k)%N) -> forall row,
    foldl (step net x) row ps = foldl (step (part_of b) z) row ps by apply: gen.
elim: ps {hps} => //= u ps IH hps row; have [hr hu] := hps u (mem_head _ _).
rewrite {2}/step /= {3}/step (states_part hu hr) (h u hr); apply: IH => q hq; apply: hps; by rewrite inE hq orbT.
Qed.

Definition clip (b : bool) (y : seq nat) : seq nat := [seq if relevant b v then nth 0%N y v else 0%N | v <- iota 0 k].

Lemma nth_clip b y v : (v < k)%N -> nth 0%N (clip b y) v = if relevant b v then nth 0%N y v else 0%N.
Proof. by move=> hv; rewrite /clip (nth_map 0%N) ?size_iota // nth_iota. Qed.

Section Cell.
Variable y : seq nat.
Hypothesis hy : forall v, (v < k)%N -> (nth 0 y v < size_of v)%N.
Let N_of b vs z : {mpoly rat[n]} := nested (part_of b) (shown (part_of b) (clip b y)) vs z.

(* A variable that is not in the part. *)
Lemma step_off b v vs z : (v < k)%N -> ~~ on b v ->
  exists2 s, (relevant b v -> s = nth 0%N y v) & N_of b (v :: vs) z = N_of b vs (set_nth 0%N z v s).
Proof.
move=> hv ho; have e := variable_at_part b hv; rewrite /part_variable (negbTE ho) in e.
have hv' : (v < size (variables (part_of b)))%N by rewrite size_part.
case hr: (relevant b v) e => e.
  exists (nth 0%N y v) => //; rewrite /N_of step_seen ?e ?nth_clip ?hr ?hy //=.
  by rewrite /chance e /= mul1r.
exists 0%N => //; rewrite /N_of step_hidden ?e //= big_seq1 /chance e /= /entry_of e /row_number e /= nth_set eqxx /=.
by rewrite /entry_value big_seq1 /term_value /= /coefficient /= divr1 scale1r mul1r.
Qed.

Lemma agree_set_both b v (x z : seq nat) a s : (forall u, relevant b u -> nth 0%N x u = nth 0%N z u) ->
  (relevant b v -> s = a) -> forall u, relevant b u -> nth 0%N (set_nth 0%N x v a) u = nth 0%N (set_nth 0%N z v s) u.
Proof. by move=> h hsa u hu; rewrite !nth_set; case: eqP hu => [->|_] hu; [rewrite hsa | apply: h]. Qed.

Lemma nested_parts vs x (z : bool -> seq nat) : all (fun v => v < k)%N vs ->
  (forall b u, relevant b u -> nth 0%N x u = nth 0%N (z b) u) ->
  nested net (shown net y) vs x = N_of true vs (z true) * N_of false vs (z false).
Proof.
elim: vs x z => [|v vs IH] x z; first by rewrite /N_of /= mulr1.
move=> /andP [hv hvs] h.
have sym b vs' z1 z2 : N_of b vs' z1 * N_of (~~ b) vs' z2 =
    N_of true vs' (if b then z1 else z2) * N_of false vs' (if b then z2 else z1) by case: b => //=; rewrite mulrC.
have [hg|hg] := boolP (given (variable_at net v)).
  have ho b : ~~ on b v by rewrite /on hg.
  have [s1 h1 ->] := step_off vs (z true) hv (ho true); have [s2 h2 ->] := step_off vs (z false) hv (ho false).
  have hh : ~~ hidden (variable_at net v) by move: hg; rewrite /given /hidden; case: (place _).
  rewrite step_seen ?hy // /chance hg mul1r.
  rewrite (IH _ (fun b => if b then set_nth 0%N (z true) v s1 else set_nth 0%N (z false) v s2)) //.
  by case; apply: agree_set_both => //; apply: h.
pose b := nth false D v.
have ho : on b v by rewrite /on hg /= eqxx.
have ho' : ~~ on (~~ b) v by rewrite /on hg /= -/b; case: (b).
have hr : relevant b v by rewrite /relevant ho.
have e : variable_at (part_of b) v = variable_at net v by rewrite variable_at_part // /part_variable ho.
have hv' : (v < size (variables (part_of b)))%N by rewrite size_part.
have -> : N_of true (v :: vs) (z true) * N_of false (v :: vs) (z false) = N_of b (v :: vs) (z b) * N_of (~~ b) (v :: vs) (z (~~ b)).
  by rewrite sym; case: (b).
have [s0 h0 ->] := step_off vs (z (~~ b)) hv ho'.
have one s : (relevant (~~ b) v -> s = nth 0%N y v) ->
    chance net v (set_nth 0%N x v s) * nested net (shown net y) vs (set_nth 0%N x v s) =
    chance (part_of b) v (set_nth 0%N (z b) v s) * N_of b vs (set_nth 0%N (z b) v s) * N_of (~~ b) vs (set_nth 0%N (z (~~ b)) v s0).
  move=> hsy; rewrite (chance_part (z := set_nth 0%N (z b) v s) hv ho); last first.
    by apply: agree_set_both => //; apply: h.
  rewrite -mulrA sym; congr (_ * _).
  rewrite (IH _ (fun c => if c == b then set_nth 0%N (z b) v s else set_nth 0%N (z (~~ b)) v s0)) //.
    by case: (b).
  move=> c; case: eqP => [->|/eqP hc]; apply: agree_set_both => //; try exact: h.
    have -> : c = ~~ b by case: c hc; case: (b).
    exact: h.
  have -> : c = ~~ b by case: c hc; case: (b).
  by move=> hr'; rewrite h0 // hsy.
have [hh|hh] := boolP (hidden (variable_at net v)).
  rewrite step_hidden // /N_of step_hidden ?e // -/(N_of _ _ _) mulr_suml; apply: eq_bigr => s _.
  by apply: one => hr'; have := hidden_irrelevant hv hh ho'; rewrite hr'.
rewrite step_seen ?hy // one // /N_of step_seen ?e ?nth_clip ?hr ?hy //.
Qed.

End Cell.

(* Lemma "districts" (a), for two parts. *)
Theorem districts : (dimension net <= dimension (part_of true) + dimension (part_of false))%N.
Proof.
have hpos : all (leq 1) (sizes net).
  apply/(all_nthP 0%N) => v; rewrite size_map => hv; rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) //.
  by have [_ h _] := hp hv.
pose full (i : 'I_(size (cells net))) := spread (seen net) (nth [::] (cells net) i).
have fullP i : full i \in joint_states (sizes net) /\ mask (seen net) (full i) = nth [::] (cells net) i.
  by apply: spreadP => //; [rewrite !size_map | apply: mem_nth].
have bound i v : (v < k)%N -> (nth 0 (full i) v < size_of v)%N.
  move=> hv; have [hf _] := fullP i; have := joint_states_bound hf; rewrite size_map => /(_ v hv).
  by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])).
have clipP b i : clip b (full i) \in joint_states (sizes (part_of b)).
  apply: joint_states_in; first by rewrite !size_map.
  move=> v; rewrite size_map size_part => hv; rewrite nth_clip // /sizes (nth_map (Var 1 Hidden [::] [::])) ?size_part //.
  rewrite -/(variable_at (part_of b) v); case: ifP => hr; first by rewrite states_part // bound.
  have hvp : (v < size (variables (part_of b)))%N by rewrite size_part.
  by have [_ h _] := @proper_part b v hvp.
have hc b i : mask (seen (part_of b)) (clip b (full i)) \in cells (part_of b) by exact: mask_joint_states.
pose f b i := Ordinal (etrans (index_mem _ _) (hc b i)).
pose A b i : {mpoly rat[n]} := coordinate (part_of b) (nth [::] (cells (part_of b)) (f b i)).
have prodE (i : 'I_(size (cells net))) : coordinate net (nth [::] (cells net) i) = A true i * A false i.
  rewrite /A /= !nth_index //; have [hf <-] := fullP i.
  rewrite !coordinate_nested ?size_part //; [|exact: proper_part|exact: proper_part].
  rewrite (@nested_parts (full i) (bound i) (iota 0 k) [::] (fun _ => [::])) //.
  by apply/allP => v; rewrite mem_iota.
pose tf := @FracField.tofrac [idomainType of {mpoly rat[n]}].
pose S b : 'M[{fraction {mpoly rat[n]}}]_(size (cells net), size (cells (part_of b))) :=
  \matrix_(i, o) ((o == f b i)%:R * tf (A (~~ b) i)).
pose J b : 'M[{fraction {mpoly rat[n]}}]_(size (cells (part_of b)), n) := map_mx tf (jacobian (part_of b)).
have SJ b i j : (S b *m J b) i j = tf (A (~~ b) i * (A b i)^`M(j)).
  rewrite mxE (bigD1 (f b i)) //= big1 ?addr0; last by move=> o ho; rewrite mxE (negbTE ho) !mul0r.
  by rewrite !mxE eqxx mul1r -rmorphM.
have e : map_mx tf (jacobian net) = S true *m J true + S false *m J false.
  apply/matrixP => i j; rewrite [RHS]mxE !SJ !mxE prodE mderivM -rmorphD /=.
  by rewrite [A false i * _]mulrC.
rewrite /dimension -/tf e; apply: leq_trans (mxrank_add _ _) _.
by apply: leq_add; apply: mxrankM_maxr.
Qed.

End Parts.

(* Sums over all joint states, with weights: computed by summing out one variable after the other. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Residues.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)

(* A function of the states of some variables, its scope, written out. *)
Inductive tree := Leaf of jet | Node of seq tree.
Definition factor := (seq nat * tree)%type.

Fixpoint look (scope : seq nat) (t : tree) (x : seq nat) : jet :=
  match scope, t with
  | [::], Leaf a => a
  | u :: scope', Node ts => look scope' (nth (Leaf (jet_number N0)) ts (nth 0%N x u)) x
  | _, _ => jet_number N0
  end.

Section Compute.
Variables (m : N) (red : N -> N) (net : network) (point : seq N).
Let size_of v := states (variable_at net v).

Fixpoint tabulate (scope : seq nat) (F : seq nat -> jet) (x : seq nat) : tree :=
  if scope is u :: scope' then Node [seq tabulate scope' F (set_nth 0%N x u s) | s <- iota 0 (size_of u)] else Leaf (F x).

(* A product: neighbours first, so that most factors have few derivatives. *)
Fixpoint neighbours (s : seq jet) : seq jet := if s is a :: b :: s' then jet_mul red a b :: neighbours s' else s.
Definition jet_product (s : seq jet) : jet :=
  let t := iter (size s) neighbours s in if t is [:: a] then a else foldr (jet_mul red) (jet_number 1) t.
Definition jet_total (s : seq nat) (F : nat -> jet) : jet := foldr (fun i a => jet_add red (F i) a) (jet_number N0) s.

Definition sum_out (v : nat) (fs : seq factor) : seq factor :=
  let now := [seq f <- fs | v \in f.1] in
  let scope := [seq u <- undup (flatten [seq f.1 | f <- now]) | u != v] in
  (scope, tabulate scope (fun x =>
    jet_total (iota 0 (size_of v)) (fun s => let y := set_nth 0%N x v s in
      jet_product [seq look f.1 f.2 y | f <- now])) [::]) :: [seq f <- fs | v \notin f.1].
Fixpoint eliminate (v : nat) (fs : seq factor) : seq factor := if v is v'.+1 then eliminate v' (sum_out v' fs) else fs.

(* The entries of all tables at the point. *)
Definition jets_of_tables : seq (seq (seq jet)) :=
  [seq [seq [seq jet_entry m red point e | e <- row] | row <- table V] | V <- variables net].
Definition all_defined : bool :=
  all (fun V => all (all (all (defined m red (parameters net)))) (table V)) (variables net).

(* Weights of states: [nth 1 (nth [::] w v) s] for the state s of the variable v, 1 where nothing is said. *)
Definition weight_of (w : seq (seq N)) (v s : nat) : N := nth 1%num (nth [::] w v) s.
Definition first_factor (tables : seq (seq (seq jet))) (w : seq (seq N)) (v : nat) : factor :=
  let V := variable_at net v in
  let scope := undup (v :: if given V then [::] else parents V) in
  (scope, tabulate scope (fun x =>
    let s := nth 0%N x v in
    jet_scale red (weight_of w v s) (if given V then jet_number 1 else
      nth (jet_number N0) (nth [::] (nth [::] tables v) (row_number net v x)) s)) [::]).
Definition contracted (tables : seq (seq (seq jet))) (w : seq (seq N)) : jet :=
  let k := size (variables net) in
  jet_product [seq look f.1 f.2 [::] | f <- eliminate k [seq first_factor tables w v | v <- iota 0 k]].

End Compute.

(* What is computed is right ---------------------------------------------------------------------------------------- *)
Lemma nth_map_default (T1 T2 : Type) (f : T1 -> T2) d s i : nth (f d) [seq f y | y <- s] i = f (nth d s i).
Proof. by elim: s i => [|y s IH] [|i] //=. Qed.

Lemma joint_states_rcons sizes r :
  joint_states (rcons sizes r) = [seq rcons x s | x <- joint_states sizes, s <- iota 0 r].
Proof.
elim: sizes => [|k ks IH] /=.
  by rewrite cats0; elim: (iota 0 r) => //= s l ->.
rewrite IH; elim: (iota 0 k) => //= s l ->; rewrite allpairs_cat; congr (_ ++ _).
by elim: (joint_states ks) => //= x xs IHx; rewrite map_cat -IHx -map_comp.
Qed.

Lemma size_joint_states sizes x : x \in joint_states sizes -> size x = size sizes.
Proof.
elim: sizes x => [|r rs IH] x /=; first by rewrite inE => /eqP ->.
by move=> /allpairsP [[s y] /= [_ hy ->]]; rewrite /= (IH y).
Qed.

Lemma joint_states_bound sizes x v : x \in joint_states sizes -> (v < size sizes)%N -> (nth 0 x v < nth 0 sizes v)%N.
Proof.
elim: sizes x v => [|r rs IH] x v //=.
move=> /allpairsP [[s y] /= [hs hy ->]]; case: v => [|v] /=; last by rewrite ltnS; apply: IH.
by move: hs; rewrite mem_iota add0n.
Qed.

Section Sound.
Variables (m : N) (red : N -> N) (net : network) (point : seq N).
Hypothesis m_gt1 : N.ltb 1 m.
Hypothesis red_val : forall x, val_of m (red x) = val_of m x.

Let n := parameters net.
Let size_of v := states (variable_at net v).
Let ok := @jet_ok m n point.
Let polynomial := {mpoly rat[n]}.

Fixpoint are_factors (s : seq jet) (f : polynomial) : Prop :=
  if s is a :: s' then exists g h, [/\ f = g * h, ok g a & are_factors s' h] else f = 1.

Lemma neighbours_factors s f : are_factors s f -> are_factors (neighbours red s) f.
Proof.
have [k hk] := ubnP (size s); elim: k s f hk => // k IH [|a [|b s]] f //= hk.
move=> [g [h [-> ga [g' [h' [-> gb hs]]]]]].
exists (g * g'), h'; split; [by rewrite mulrA | exact: jet_ok_mul |].
by apply: IH => //; exact: ltnW.
Qed.

Lemma jet_ok_product (I : Type) (s : seq I) (F : I -> polynomial) (A : I -> jet) :
  (forall i, List.In i s -> ok (F i) (A i)) -> ok (\prod_(i <- s) F i) (jet_product red [seq A i | i <- s]).
Proof.
move=> h; rewrite /jet_product; set t := iter _ _ _.
have : are_factors t (\prod_(i <- s) F i).
  rewrite /t; elim: (size _) => [|k IH]; last exact: neighbours_factors.
  elim: s h {t} => [|i s IH] h /=; first by rewrite big_nil.
  exists (F i), (\prod_(j <- s) F j); split; [by rewrite big_cons | by apply: h; left |].
  by apply: IH => j hj; apply: h; right.
have product u f : are_factors u f -> ok f (foldr (jet_mul red) (jet_number 1) u).
  elim: u f => [f ->|a u IH f [g [h' [-> ga hu]]]] /=; first exact: (jet_ok_number m n point 1%num).
  by apply: jet_ok_mul => //; apply: IH.
case: t => [|a [|b t]]; [exact: (product [::]) | | exact: (product [:: a, b & t])].
by move=> [g [h' [-> ga ->]]]; rewrite mulr1.
Qed.

Lemma jet_ok_total (s : seq nat) (F : nat -> polynomial) (A : nat -> jet) :
  (forall i, i \in s -> ok (F i) (A i)) -> ok (\sum_(i <- s) F i) (jet_total red s A).
Proof.
rewrite /jet_total; elim: s => [|i s IH] h /=; first by rewrite big_nil; apply: (jet_ok_number m n point N0).
rewrite big_cons; apply: jet_ok_add => //; first by apply: h; rewrite inE eqxx.
by apply: IH => j hj; apply: h; rewrite inE hj orbT.
Qed.

Definition agree (scope : seq nat) (x y : seq nat) := forall u, u \in scope -> nth 0%N x u = nth 0%N y u.
Definition inside (scope : seq nat) (x : seq nat) := forall u, u \in scope -> (nth 0 x u < size_of u)%N.

Lemma nth_set x u s v : nth 0%N (set_nth 0%N x u s) v = if v == u then s else nth 0%N x v.
Proof. by rewrite nth_set_nth /=. Qed.

(* Looking up what was tabulated. *)
Lemma look_tabulate scope F z x : inside scope x ->
  exists y, [/\ look scope (tabulate net scope F z) x = F y, agree scope x y &
    forall u, u \notin scope -> nth 0%N y u = nth 0%N z u].
Proof.
elim: scope z => [|u scope IH] z h; first by exists z.
have hu : (nth 0 x u < size_of u)%N by apply: h; rewrite inE eqxx.
have h' : inside scope x by move=> v hv; apply: h; rewrite inE hv orbT.
have [y [e a b]] := IH (set_nth 0%N z u (nth 0%N x u)) h'.
exists y; split=> [|v|v].
- by rewrite /= (nth_map 0%N) ?size_iota // nth_iota // add0n.
- rewrite inE; case: (boolP (v \in scope)) => [hv _|hv]; first exact: a.
  by rewrite orbF => /eqP e'; rewrite b // nth_set e' eqxx.
rewrite inE negb_or => /andP [hvu hv]; rewrite b // nth_set; by rewrite (negbTE hvu).
Qed.

(* A factor stands for a function of joint states. *)
Definition stands (k : nat) (f : factor) (G : seq nat -> polynomial) : Prop :=
  [/\ forall x y, agree f.1 x y -> G x = G y,
      forall u, u \in f.1 -> (u < k)%N &
      forall x, inside f.1 x -> ok (G x) (look f.1 f.2 x)].

Fixpoint all_stand (k : nat) (gs : seq (factor * (seq nat -> polynomial))) : Prop :=
  if gs is g :: gs' then stands k g.1 g.2 /\ all_stand k gs' else True.

Lemma all_standP k gs g : all_stand k gs -> List.In g gs -> stands k g.1 g.2.
Proof. by elim: gs => //= g' gs IH [h /IH h'] [<-|]. Qed.

Lemma stands_weaken k k' f G : (forall u, u \in f.1 -> (u < k')%N) -> stands k f G -> stands k' f G.
Proof. by move=> h [a _ c]. Qed.

Lemma agree_set scope x y v s : (forall u, u \in scope -> u != v -> nth 0%N x u = nth 0%N y u) ->
  agree scope (set_nth 0%N x v s) (set_nth 0%N y v s).
Proof. by move=> h u hu; rewrite !nth_set; case: eqP => // /eqP; apply: h. Qed.

Lemma in_filter (T : Type) (p : pred T) s g : List.In g (filter p s) -> List.In g s /\ p g.
Proof. by elim: s => //= y s IH; case: ifP => [py /= [<-|/IH []]|_ /IH []]; auto. Qed.

Lemma mem_flatten_in (gs : seq (factor * (seq nat -> polynomial))) g u :
  List.In g gs -> u \in g.1.1 -> u \in flatten [seq h.1.1 | h <- gs].
Proof. by elim: gs => //= h gs IH [->|/IH e] hu; rewrite mem_cat ?hu // e ?orbT. Qed.

Lemma mem_in_flatten (gs : seq (factor * (seq nat -> polynomial))) u :
  u \in flatten [seq h.1.1 | h <- gs] -> exists2 g, List.In g gs & u \in g.1.1.
Proof.
elim: gs => //= h gs IH; rewrite mem_cat => /orP [hu|/IH [g hg hu]]; first by exists h; [left|].
by exists g; [right|].
Qed.

Lemma sum_outP v gs : all_stand v.+1 gs ->
  exists gs', [/\ sum_out red net v [seq g.1 | g <- gs] = [seq g.1 | g <- gs'], all_stand v gs' &
    forall x, \prod_(g <- gs') g.2 x = \sum_(s <- iota 0 (size_of v)) \prod_(g <- gs) g.2 (set_nth 0%N x v s)].
Proof.
move=> hgs.
pose now := [seq g <- gs | v \in g.1.1]; pose later := [seq g <- gs | v \notin g.1.1].
pose G x := \sum_(s <- iota 0 (size_of v)) \prod_(g <- now) g.2 (set_nth 0%N x v s).
have enow : [seq f <- [seq g.1 | g <- gs] | v \in f.1] = [seq g.1 | g <- now] by rewrite filter_map.
have elater : [seq f <- [seq g.1 | g <- gs] | v \notin f.1] = [seq g.1 | g <- later] by rewrite filter_map.
rewrite /sum_out enow elater -!map_comp.
set scope := [seq u <- _ | u != v].
set F := (fun x : seq nat => jet_total _ _ _).
have hnow g : List.In g now -> stands v.+1 g.1 g.2 by move=> h; have [hg _] := in_filter h; exact: (all_standP hgs hg).
have hscope g u : List.In g now -> u \in g.1.1 -> u != v -> u \in scope.
  by move=> hg hu hne; rewrite mem_filter hne mem_undup; exact: (mem_flatten_in hg hu).
have hG x y : agree scope x y -> G x = G y.
  move=> h; apply: eq_bigr => s _.
  have : forall g, List.In g now -> g.2 (set_nth 0%N x v s) = g.2 (set_nth 0%N y v s).
    move=> g hg; have [e _ _] := hnow g hg; apply: e; apply: agree_set => u hu hne.
    by apply: h; exact: (hscope g u hg hu hne).
  elim: (now) => [|g s' IH] h'; first by rewrite !big_nil.
  by rewrite !big_cons h' ?IH //; [move=> g' hg'; apply: h'; right | left].
exists (((scope, tabulate net scope F [::]), G) :: later); split=> //=.
- split; first split=> //=.
  + move=> u; rewrite mem_filter mem_undup => /andP [hne /mem_in_flatten [g hg hu]].
    by have [_ b _] := hnow g hg; have := b u hu; rewrite ltnS leq_eqVlt (negbTE hne).
  + move=> x hx; have [y [-> a _]] := look_tabulate F [::] hx.
    rewrite (hG x y a); apply: jet_ok_total => s; rewrite mem_iota add0n => /= hs.
    rewrite -map_comp; apply: jet_ok_product => g hg.
    have [_ _ c] := hnow g hg; apply: c => u hu; rewrite nth_set; case: eqP => [-> //|/eqP hne].
    by have hu' := hscope g u hg hu hne; rewrite -(a u hu'); apply: hx.
  + have : forall g, List.In g later -> stands v g.1 g.2.
      move=> g hin; have [hg hv] := in_filter hin; have h := all_standP hgs hg; apply: stands_weaken (h) => u hu.
      case: h => _ b _; have := b u hu; rewrite ltnS leq_eqVlt => /orP [/eqP e|//].
      by move: hv; rewrite -e hu.
    by elim: (later) => //= g s IH h; split; [apply: h; left | apply: IH => g' hg'; apply: h; right].
move=> x; rewrite big_cons /= /G mulr_suml; apply: eq_bigr => s _.
rewrite /now /later big_filter big_filter [RHS](bigID (fun g => v \in g.1.1)) /=; congr (_ * _).
have : forall g, List.In g gs -> v \notin g.1.1 -> g.2 x = g.2 (set_nth 0%N x v s).
  move=> g hg hv; have [e _ _] := all_standP hgs hg; apply: e => u hu; rewrite nth_set.
  by case: eqP => // e'; move: hv; rewrite -e' hu.
elim: gs {hgs now later G enow elater scope F hnow hscope hG} => [|g gs IH] h; first by rewrite !big_nil.
rewrite !big_cons; case: ifP => hv; last by apply: IH => g' hg'; apply: h; right.
by rewrite h ?IH //; [move=> g' hg'; apply: h; right | left].
Qed.

(* The sum over the joint states of the first variables. *)
Lemma sum_joint_states v (F : seq nat -> polynomial) : (v < size (variables net))%N ->
  \sum_(x <- joint_states (take v.+1 (sizes net))) F x =
  \sum_(x <- joint_states (take v (sizes net))) \sum_(s <- iota 0 (size_of v)) F (set_nth 0%N x v s).
Proof.
move=> hv; have hv' : (v < size (sizes net))%N by rewrite size_map.
rewrite (take_nth 0%N) // joint_states_rcons big_allpairs_dep /=.
have -> : nth 0%N (sizes net) v = size_of v by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => x hx; apply: eq_bigr => s _; congr F.
have : size x = v by rewrite (size_joint_states hx) size_take hv'.
by move=> <-; elim: x {hx} => //= y x ->.
Qed.

Lemma eliminateP v gs : (v <= size (variables net))%N -> all_stand v gs ->
  ok (\sum_(x <- joint_states (take v (sizes net))) \prod_(g <- gs) g.2 x)
     (jet_product red [seq look f.1 f.2 [::] | f <- eliminate red net v [seq g.1 | g <- gs]]).
Proof.
elim: v gs => [|v IH] gs hv hgs.
  rewrite take0 /= big_seq1 -map_comp; apply: jet_ok_product => g hg.
  by have [_ b c] := all_standP hgs hg; apply: c => u /b.
rewrite sum_joint_states //.
have [gs' [e1 h' e2]] := sum_outP hgs.
have := IH gs' (ltnW hv) h'; rewrite /= e1; congr (ok _ _).
by apply: eq_bigr => x _; rewrite e2.
Qed.

Hypothesis defined_ok : all_defined m red net.
(* Parents are variables. *)
Hypothesis parents_ok : all (fun V => all (fun u => u < size (variables net))%N (parents V)) (variables net).

Lemma jet_ok_chance v x : given (variable_at net v) = false ->
  ok (chance net v x) (nth (jet_number N0) (nth [::] (nth [::] (jets_of_tables m red net point) v) (row_number net v x)) (nth 0%N x v)).
Proof.
move=> hg; rewrite /chance hg /jets_of_tables.
rewrite -[X in nth X _ v]/((fun V => [seq [seq jet_entry m red point e | e <- row] | row <- table V]) (Var 1 Hidden [::] [::])) nth_map_default.
rewrite -[X in nth X _ (row_number _ _ _)]/((fun row => [seq jet_entry m red point e | e <- row]) [::]) nth_map_default.
rewrite -[X in nth X _ (nth _ _ _)]/(jet_entry m red point [::]) nth_map_default.
apply: jet_ok_entry => //; rewrite -/(entry_of net v x).
have d1 : all (all (all (defined m red n))) (table (variable_at net v)).
  case: (ltnP v (size (variables net))) => h; last by rewrite /variable_at nth_default.
  by have /(all_nthP (Var 1 Hidden [::] [::])) := defined_ok; apply.
have d2 : all (all (defined m red n)) (nth [::] (table (variable_at net v)) (row_number net v x)).
  case: (ltnP (row_number net v x) (size (table (variable_at net v)))) => h; last by rewrite nth_default.
  by have /(all_nthP [::]) := d1; apply.
case: (ltnP (nth 0%N x v) (size (nth [::] (table (variable_at net v)) (row_number net v x)))) => h.
  by have /(all_nthP [::]) := d2; apply.
by rewrite /entry_of nth_default.
Qed.

Lemma row_number_ext v x y : agree (parents (variable_at net v)) x y -> row_number net v x = row_number net v y.
Proof.
pose step x row u := (row * states (variable_at net u) + nth 0 x u)%N.
rewrite /row_number -/(step x) -/(step y).
suff : forall ps r, agree ps x y -> foldl (step x) r ps = foldl (step y) r ps by apply.
elim=> //= u ps IH r h; rewrite /step (h u) ?inE ?eqxx //; apply: IH => w hw; apply: h; by rewrite inE hw orbT.
Qed.

Definition weighted (w : seq (seq N)) (x : seq nat) : polynomial :=
  \prod_(v <- iota 0 (size (variables net))) ((nat_of_bin (weight_of w v (nth 0%N x v)))%:R * chance net v x).

Theorem contractedP w :
  ok (\sum_(x <- joint_states (sizes net)) weighted w x) (contracted red net (jets_of_tables m red net point) w).
Proof.
pose k := size (variables net).
pose gs := [seq (first_factor red net (jets_of_tables m red net point) w v,
  fun x => (nat_of_bin (weight_of w v (nth 0%N x v)))%:R * chance net v x) | v <- iota 0 k].
have -> : \sum_(x <- joint_states (sizes net)) weighted w x =
    \sum_(x <- joint_states (take k (sizes net))) \prod_(g <- gs) g.2 x.
  rewrite -[X in take X _](size_map states) take_size; apply: eq_bigr => x _.
  by rewrite /weighted big_map.
have -> : contracted red net (jets_of_tables m red net point) w =
    jet_product red [seq look f.1 f.2 [::] | f <- eliminate red net k [seq g.1 | g <- gs]].
  by rewrite /contracted -map_comp.
apply: eliminateP => //.
have : forall v, v \in iota 0 k -> (v < k)%N by move=> v; rewrite mem_iota.
rewrite /gs; elim: (iota 0 k) => //= v s IH h; split; last by apply: IH => u hu; apply: h; rewrite inE hu orbT.
have hv : (v < k)%N by apply: h; rewrite inE eqxx.
rewrite /first_factor; set V := variable_at net v; set scope := undup _.
have v_in : v \in scope by rewrite mem_undup inE eqxx.
split=> /=.
- move=> x y h'; have ev : nth 0%N x v = nth 0%N y v by apply: h'.
  rewrite ev; congr (_ * _); rewrite /chance -/V; case: ifP => // hg.
  rewrite /entry_of ev; congr (entry_value _ (nth _ (nth _ _ _) _)).
  by apply: row_number_ext => u hu; apply: h'; rewrite mem_undup hg inE hu orbT.
- move=> u; rewrite mem_undup inE => /orP [/eqP -> //|]; case: ifP => // _ hu.
  have /(all_nthP (Var 1 Hidden [::] [::])) /(_ v hv) := parents_ok.
  by move=> /allP; apply.
move=> x hx; set F := (fun x : seq nat => jet_scale _ _ _); have [y [-> a _]] := look_tabulate F [::] hx.
have ev : nth 0%N x v = nth 0%N y v by apply: a.
rewrite ev /F; apply: jet_ok_scale => //; case: ifP => hg.
  by rewrite /chance hg; apply: (jet_ok_number m n point 1%num).
suff -> : chance net v x = chance net v y by apply: jet_ok_chance.
rewrite /chance hg /entry_of ev; congr (entry_value _ (nth _ (nth _ _ _) _)).
by apply: row_number_ext => u hu; apply: a; rewrite mem_undup hg inE hu orbT.
Qed.

End Sound.

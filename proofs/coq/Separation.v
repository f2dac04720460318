(* Matrices of bounded rank: a sum over joint states falls into two factors where hidden variables separate. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Residues Contract Proper.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* On which side of the separating variables, the middle, a variable is; those outside are summed out to 1. *)
Inductive side := LeftSide | RightSide | Middle | Outside.

Definition is_middle (s : side) : bool := if s is Middle then true else false.
Definition is_outside (s : side) : bool := if s is Outside then true else false.
Definition is_on (left : bool) (s : side) : bool := match s with LeftSide => left | RightSide => ~~ left | _ => false end.
Definition near (left : bool) (s : side) : bool := is_on left s || is_middle s.

Section Separation.
Variables (net : network) (sides : seq side).
Let n := parameters net.
Let k := size (variables net).
Let size_of v := states (variable_at net v).
Definition side_of (v : nat) : side := nth Outside sides v.

(* The table of each variable concerns one side and the middle; what is outside has all its children there. *)
Definition all_near (left : bool) (v : nat) : bool := all (fun u => near left (side_of u)) (parents (variable_at net v)).
Definition separated_at (v : nat) : bool :=
  match side_of v with
  | LeftSide => all_near true v
  | RightSide => all_near false v
  | Middle => all_near true v || all_near false v
  | Outside => ~~ given (variable_at net v)
  end.
Definition separates : bool := all separated_at (iota 0 k).

(* Weights put together from those of the left, the right, and the middle. *)
Definition combined (l r m : seq (seq N)) : seq (seq N) :=
  [seq match side_of v with LeftSide => nth [::] l v | RightSide => nth [::] r v | Middle => nth [::] m v | Outside => [::] end | v <- iota 0 k].

(* The joint states of the middle that have a weight. *)
Definition weighty (w : seq (seq N)) (v : nat) : seq nat := [seq s <- iota 0 (size_of v) | ~~ N.eqb (weight_of w v s) 0].
Fixpoint choices (w : seq (seq N)) (vs : seq nat) : seq (seq nat) :=
  if vs is v :: vs' then
    if is_middle (side_of v) then [seq s :: c | s <- weighty w v, c <- choices w vs'] else choices w vs'
  else [:: [::]].

Let polynomial := {mpoly rat[n]}.
Definition factor_at (w : seq (seq N)) (v : nat) (x : seq nat) : polynomial :=
  (nat_of_bin (weight_of w v (nth 0%N x v)))%:R * chance net v x.

(* The same sum, one variable inside the other; then without what is outside. *)
Fixpoint nested (w : seq (seq N)) (vs : seq nat) (x : seq nat) : polynomial :=
  if vs is v :: vs' then
    \sum_(s <- iota 0 (size_of v)) factor_at w v (set_nth 0%N x v s) * nested w vs' (set_nth 0%N x v s)
  else 1.
Fixpoint inner (w : seq (seq N)) (vs : seq nat) (x : seq nat) : polynomial :=
  if vs is v :: vs' then
    if is_outside (side_of v) then inner w vs' x else
    \sum_(s <- iota 0 (size_of v)) factor_at w v (set_nth 0%N x v s) * inner w vs' (set_nth 0%N x v s)
  else 1.

(* What one side contributes when the middle is in the states c. *)
Fixpoint part (left : bool) (w : seq (seq N)) (vs : seq nat) (c : seq nat) (x : seq nat) : polynomial :=
  if vs is v :: vs' then
    if is_middle (side_of v) then
      if c is s :: c' then
        (if all_near true v == left then factor_at w v (set_nth 0%N x v s) else 1) * part left w vs' c' (set_nth 0%N x v s)
      else 0
    else if is_on left (side_of v) then
      \sum_(s <- iota 0 (size_of v)) factor_at w v (set_nth 0%N x v s) * part left w vs' c (set_nth 0%N x v s)
    else part left w vs' c x
  else 1.

Hypothesis hp : proper_variables net.
Hypothesis hs : separates.

Let bounded (x : seq nat) := forall u, (u < k)%N -> (nth 0 x u < size_of u)%N.

Lemma bounded_set x v s : bounded x -> (s < size_of v)%N -> bounded (set_nth 0%N x v s).
Proof. by move=> h h' u hu; rewrite nth_set; case: eqP => [->|_] //; apply: h. Qed.

Lemma factor_ext w w' v x y : weight_of w v =1 weight_of w' v -> nth 0%N x v = nth 0%N y v ->
  agree (parents (variable_at net v)) x y -> factor_at w v x = factor_at w' v y.
Proof. by move=> hw e h; rewrite /factor_at e hw; congr (_ * _); apply: chance_ext. Qed.

Lemma factor_before w u v x s : (u < v)%N -> (v <= k)%N -> factor_at w u (set_nth 0%N x v s) = factor_at w u x.
Proof.
move=> hu hv; have e q : (q < v)%N -> nth 0%N (set_nth 0%N x v s) q = nth 0%N x q.
  by move=> hq; rewrite nth_set; case: eqP hq => // ->; rewrite ltnn.
apply: factor_ext => //; first exact: e.
move=> q hq; have [/allP hpar _ _] := hp (leq_trans hu hv); apply: e.
by apply: ltn_trans (hpar q hq) hu.
Qed.

Lemma nestedP w : \sum_(x <- joint_states (sizes net)) weighted net w x = nested w (iota 0 k) [::].
Proof.
have -> : joint_states (sizes net) = joint_states (take k (sizes net)) by rewrite take_oversize // size_map.
suff h d v : (v + d = k)%N ->
    \sum_(x <- joint_states (take k (sizes net))) weighted net w x =
    \sum_(x <- joint_states (take v (sizes net))) (\prod_(u <- iota 0 v) factor_at w u x) * nested w (iota v d) x.
  by rewrite (h k 0%N) // take0 /= big_seq1 big_nil mul1r.
elim: d v => [|d IH] v e.
  by rewrite addn0 in e; rewrite e; apply: eq_bigr => x _; rewrite mulr1.
have hv : (v < k)%N by rewrite -e -addSnnS leq_addr.
rewrite (IH v.+1); last by rewrite addSnnS.
rewrite sum_joint_states //; apply: eq_bigr => x _; rewrite mulr_sumr; apply: eq_bigr => s _.
rewrite mulrA -(addn1 v) iotaD add0n big_cat /= big_seq1 addn1; congr (_ * _ * _).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => u; rewrite mem_iota add0n /= => hu.
by apply: factor_before => //; apply: ltnW.
Qed.

Lemma inside_parent v u : (v < k)%N -> ~~ is_outside (side_of v) -> u \in parents (variable_at net v) ->
  ~~ is_outside (side_of u).
Proof.
move=> hv ho hu; have /allP /(_ v) := hs; rewrite mem_iota add0n /= => /(_ hv).
rewrite /separated_at; case: (side_of v) ho => // _; rewrite /all_near.
- by move=> /allP /(_ u hu); case: (side_of u).
- by move=> /allP /(_ u hu); case: (side_of u).
by move=> /orP [] /allP /(_ u hu); case: (side_of u).
Qed.

Lemma inner_ext w vs x y : all (fun v => v < k)%N vs ->
  (forall u, ~~ is_outside (side_of u) -> nth 0%N x u = nth 0%N y u) -> inner w vs x = inner w vs y.
Proof.
elim: vs x y => //= v vs IH x y /andP [hv hvs] h; case: ifP => ho; first exact: IH.
apply: eq_bigr => s _; have h' u : ~~ is_outside (side_of u) -> nth 0%N (set_nth 0%N x v s) u = nth 0%N (set_nth 0%N y v s) u.
  by move=> hu; rewrite !nth_set; case: eqP => // _; apply: h.
rewrite (IH (set_nth 0%N x v s) (set_nth 0%N y v s)) //; congr (_ * _); apply: factor_ext => //.
  by apply: h'; rewrite ho.
by move=> u hu; apply: h'; apply: inside_parent hu; rewrite ?ho.
Qed.

Lemma nested_inner l r m vs x : all (fun v => v < k)%N vs -> bounded x ->
  nested (combined l r m) vs x = inner (combined l r m) vs x.
Proof.
set w := combined l r m; elim: vs x => //= v vs IH x /andP [hv hvs] hx.
have step s : s \in iota 0 (size_of v) -> nested w vs (set_nth 0%N x v s) = inner w vs (set_nth 0%N x v s).
  by rewrite mem_iota add0n => hs'; apply: IH => //; apply: bounded_set.
case: ifP => ho; last first.
  by rewrite big_seq [RHS]big_seq; apply: eq_bigr => s hs'; rewrite step.
transitivity (\sum_(s <- iota 0 (size_of v)) factor_at w v (set_nth 0%N x v s) * inner w vs x).
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => s hs'; rewrite step //; congr (_ * _).
  by apply: inner_ext => // u hu; rewrite nth_set; case: eqP hu => // ->; rewrite ho.
rewrite -mulr_suml; suff -> : \sum_(s <- iota 0 (size_of v)) factor_at w v (set_nth 0%N x v s) = 1 by rewrite mul1r.
have hg : ~~ given (variable_at net v).
  have /allP /(_ v) := hs; rewrite mem_iota add0n /= => /(_ hv); rewrite /separated_at.
  by case: (side_of v) ho.
have e1 : forall s, weight_of w v s = 1%num.
  move=> s; rewrite /weight_of /w /combined (nth_map 0%N) ?size_iota // nth_iota // add0n.
  by case: (side_of v) ho => //; rewrite nth_nil.
rewrite -[RHS](@chances_sum_to_1 net hp v x hv) //.
  by apply: eq_bigr => s _; rewrite /factor_at e1 mul1r.
by move=> u hu; apply: hx; apply: ltn_trans hu hv.
Qed.

Lemma owner_near v left : (v < k)%N -> is_middle (side_of v) -> all_near true v == left -> all_near left v.
Proof.
move=> hv hm; have /allP /(_ v) := hs; rewrite mem_iota add0n /= => /(_ hv); rewrite /separated_at.
by case: (side_of v) hm => // _; case: left; case: (all_near true v).
Qed.

Lemma on_near v left : (v < k)%N -> is_on left (side_of v) -> all_near left v.
Proof.
move=> hv hm; have /allP /(_ v) := hs; rewrite mem_iota add0n /= => /(_ hv); rewrite /separated_at.
by case: (side_of v) hm => //; case: left.
Qed.

Lemma part_ext left w w' vs c x y : all (fun v => v < k)%N vs ->
  (forall u, near left (side_of u) -> weight_of w u =1 weight_of w' u) ->
  (forall u, near left (side_of u) -> nth 0%N x u = nth 0%N y u) -> part left w vs c x = part left w' vs c y.
Proof.
move=> hvs hw; elim: vs hvs c x y => //= v vs IH /andP [hv hvs] c x y h.
have h' s u : near left (side_of u) -> nth 0%N (set_nth 0%N x v s) u = nth 0%N (set_nth 0%N y v s) u.
  by move=> hu; rewrite !nth_set; case: eqP => // _; apply: h.
case: ifP => hm.
  case: c => // s c; rewrite (IH hvs c (set_nth 0%N x v s) (set_nth 0%N y v s) (h' s)); congr (_ * _).
  case: ifP => ho //; have nv : near left (side_of v) by rewrite /near hm orbT.
  apply: factor_ext; [exact: hw | exact: h' |] => u hu; apply: h'.
  by have /allP := owner_near hv hm ho; apply.
case: ifP => ho; last exact: IH.
apply: eq_bigr => s _; rewrite (IH hvs c (set_nth 0%N x v s) (set_nth 0%N y v s) (h' s)); congr (_ * _).
have nv : near left (side_of v) by rewrite /near ho.
apply: factor_ext; [exact: hw | exact: h' |] => u hu; apply: h'.
by have /allP := on_near hv ho; apply.
Qed.

Lemma inner_parts w vs x : all (fun v => v < k)%N vs ->
  inner w vs x = \sum_(c <- choices w vs) part true w vs c x * part false w vs c x.
Proof.
elim: vs x => [|v vs IH] x; first by rewrite /= big_seq1 mul1r.
move=> /andP [hv hvs] /=.
case hside: (side_of v) => /=; rewrite ?IH //.
- under eq_bigr do rewrite IH // mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => c _; rewrite mulr_suml; apply: eq_bigr => s _.
  rewrite mulrA; congr (_ * _); apply: part_ext => // u; rewrite nth_set; case: eqP => // ->.
  by rewrite hside.
- under eq_bigr do rewrite IH // mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => c _; rewrite mulr_sumr; apply: eq_bigr => s _.
  rewrite mulrCA; congr (_ * _); apply: part_ext => // u; rewrite nth_set; case: eqP => // ->.
  by rewrite hside.
rewrite big_allpairs_dep /= /weighty big_filter [RHS]big_mkcond; apply: eq_bigr => s _.
case: (boolP (N.eqb _ _)) => /= hz.
  by rewrite /factor_at nth_set eqxx (proj1 (N.eqb_eq _ _) hz) !mul0r.
rewrite IH // mulr_sumr; apply: eq_bigr => c _.
by case: (all_near true v) => /=; [rewrite mul1r mulrA | rewrite mul1r mulrCA].
Qed.

Lemma choices_ext w w' vs : (forall u, u \in vs -> is_middle (side_of u) -> weight_of w u =1 weight_of w' u) ->
  choices w vs = choices w' vs.
Proof.
elim: vs => //= v vs IH h; rewrite IH => [|u hu]; last by apply: h; rewrite inE hu orbT.
case: ifP => // hm; congr [seq _ :: _ | _ <- _, _ <- _].
by apply: eq_filter => s; rewrite h // inE eqxx.
Qed.

Lemma weight_combined l r m v s : weight_of (combined l r m) v s =
  if (v < k)%N then match side_of v with
    LeftSide => weight_of l v s | RightSide => weight_of r v s | Middle => weight_of m v s | Outside => 1%num end
  else 1%num.
Proof.
rewrite /weight_of; case: ltnP => hv; last by rewrite [nth [::] _ v]nth_default ?nth_nil // size_map size_iota.
by rewrite /combined (nth_map 0%N) ?size_iota // nth_iota // add0n; case: (side_of v) => //; rewrite nth_nil.
Qed.

(* Lemma "matrices of bounded rank" (a): the sum is a sum over the joint states of the middle of products, one factor for
   each side. *)
Theorem bounded_rank l r m :
  \sum_(x <- joint_states (sizes net)) weighted net (combined l r m) x =
  \sum_(c <- choices m (iota 0 k))
    part true (combined l [::] m) (iota 0 k) c [::] * part false (combined [::] r m) (iota 0 k) c [::].
Proof.
have hvs : all (fun v => v < k)%N (iota 0 k) by apply/allP => v; rewrite mem_iota.
have hx : bounded [::] by move=> u hu; rewrite nth_nil; have [_ h _] := hp hu.
rewrite nestedP nested_inner // inner_parts // (@choices_ext (combined l r m) m); last first.
  by move=> u; rewrite mem_iota /= => hu hm s; rewrite weight_combined hu; case: (side_of u) hm.
apply: eq_bigr => c _; congr (_ * _); apply: part_ext => // u hu s; rewrite !weight_combined; case: ifP => // _.
  by move: hu; rewrite /near; case: (side_of u).
by move: hu; rewrite /near; case: (side_of u).
Qed.

End Separation.

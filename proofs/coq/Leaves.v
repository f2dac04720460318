(* Lower bounds: observed variables without children are taken away, and what their parameters add to the dimension is
   counted where the distributions of the others, given the states of the parent, are independent. *)

From Coq Require Import BinNums BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper Upper Separation Equations Districts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)

(* Of the variable v one state is left; all variables and parameters keep their numbers. *)
Definition without (net : network) (v : nat) : network :=
  Network (parameters net) [seq if u == v then idle else variable_at net u | u <- iota 0 (size (variables net))].

(* The entry for the parent's state y and the own state s, but the last, is the parameter number first + y (r - 1) + s. *)
Definition is_parameter (e : entry) (j : nat) : bool :=
  match e with [:: Term (Zpos xH) xH (Some i)] => i == j | _ => false end.

Definition is_leaf (net : network) (h v first : nat) : bool :=
  let V := variable_at net v in let c := states (variable_at net h) in let d := (states V).-1 in
  let left := occurrences (without net v) in
  [&& v < size (variables net), (if place V is Observed then true else false), parents V == [:: h],
    all (fun u => v \notin parents (variable_at net u)) (iota 0 (size (variables net))),
    first + c * d <= parameters net,
    all (fun y => all (fun s => is_parameter (nth [::] (nth [::] (table V) y) s) (first + y * d + s)) (iota 0 d)) (iota 0 c) &
    all (fun j => ~~ nth false left j) (iota first (c * d))]%N.

(* Leaves with the first parameter of each. *)
Fixpoint dropped (net : network) (leaves : seq (nat * nat)) : network :=
  if leaves is l :: ls then dropped (without net l.1) ls else net.
Fixpoint are_leaves (net : network) (h : nat) (leaves : seq (nat * nat)) : bool :=
  if leaves is l :: ls then is_leaf net h l.1 l.2 && are_leaves (without net l.1) h ls else true.
Fixpoint added (net : network) (c : nat) (leaves : seq (nat * nat)) : nat :=
  if leaves is l :: ls then c * (states (variable_at net l.1)).-1 + added (without net l.1) c ls else 0.

Record independence := Independence {
  independence_modulus : N; independence_bits : nat; independence_point : seq N;
  witnesses : seq (seq (seq N));        (* sums of cells of the others *)
  independence_inverse : seq (seq N)    (* of the matrix of these sums given the parent's states, column by column *)
}.

Definition unit_weight (c y : nat) : seq N := [seq bin_of_nat (s == y) | s <- iota 0 c].

Definition check_leaves (net : network) (h : nat) (leaves : seq (nat * nat)) (e : independence) : bool :=
  let m := independence_modulus e in let red := red_of m (independence_bits e) in
  let c := states (variable_at net h) in let rest := dropped net leaves in
  let tables := jets_of_tables m red rest (independence_point e) in
  [&& are_leaves net h leaves, N.ltb 1 m, parents_known rest, all_defined m red rest,
    all (fun w => [&& unweighted net w, size (nth [::] w h) == 0 & all (fun l => size (nth [::] w l.1) == 0) leaves])%N (witnesses e) &
    inverse_of red c [seq [seq (contracted red rest tables (set_nth [::] w h (unit_weight c y))).1 | y <- iota 0 c] | w <- witnesses e]
      (independence_inverse e)].

(* What is computed is right ---------------------------------------------------------------------------------------- *)

(* The sum over all joint states, one variable innermost. *)
Lemma sum_one_variable (R : comRingType) (s : seq nat) v (F : seq nat -> R) : (v < size s)%N ->
  \sum_(x <- joint_states s) F x =
  \sum_(x <- joint_states (set_nth 0%N s v 1%N)) \sum_(a <- iota 0 (nth 0%N s v)) F (set_nth 0%N x v a).
Proof.
elim: s v F => [|r s IH] [|v] F //= hv.
  by rewrite cats0 big_map big_allpairs_dep /= exchange_big.
rewrite !big_allpairs_dep /=; apply: eq_bigr => a _.
by rewrite (IH v (fun x => F (a :: x)) hv); apply: eq_bigr => x _; apply: eq_bigr => b _.
Qed.

Lemma is_parameterP e j : is_parameter e j -> e = [:: Term (Zpos xH) xH (Some j)].
Proof. by case: e => [|[[|[p|p|]|p] [q|q|] [i|]] [|t e]] //= /eqP ->. Qed.

(* Blocks of rows, of which each adds its rank. *)
Lemma rank_blocks (F : fieldType) (a b q n t : nat) (A : 'M[F]_(a, n)) (J : 'M[F]_(q, n)) (B : nat -> 'M[F]_(b, n))
    (E : nat -> 'M[F]_(n, b)) (M : 'M[F]_b) :
  M \in unitmx -> (forall s, (s < t)%N -> A *m E s = 0) ->
  (forall s s', (s < t)%N -> (s' < t)%N -> B s *m E s' = if s == s' then M else 0) ->
  (A <= J)%MS -> (forall s, (s < t)%N -> (B s <= J)%MS) -> (\rank A + t * b <= \rank J)%N.
Proof.
move=> uM hA hB hAJ hBJ.
suff gen u : (u <= t)%N -> exists D : 'M[F]_n,
    [/\ (\rank A + u * b <= \rank D)%N, (D <= J)%MS & forall s, (u <= s < t)%N -> D *m E s = 0].
  by have [D [h1 h2 _]] := gen t (leqnn t); exact: leq_trans h1 (mxrankS h2).
elim: u => [|u IH] hu.
  exists <<A>>%MS; split; rewrite ?mul0n ?addn0 ?genmxE // => s hs.
  by apply/sub_kermxP; rewrite genmxE; apply/sub_kermxP; apply: hA.
have [D [h1 h2 h3]] := IH (ltnW hu).
have hk : D *m E u = 0 by apply: h3; rewrite leqnn.
have hBE : B u *m E u = M by rewrite hB // eqxx.
have hr : \rank (B u) = b.
  apply/eqP; rewrite eqn_leq rank_leq_row /= -{1}(mxrank_unit uM) -hBE; exact: mxrankM_maxl.
have hcap : (D :&: B u)%MS = 0.
  have /submxP [Y hY] := capmxSr D (B u).
  have : (D :&: B u)%MS *m E u = 0 by apply/sub_kermxP; apply: submx_trans (capmxSl _ _) _; apply/sub_kermxP.
  by rewrite hY -mulmxA hBE => e; rewrite -[Y](mulmxK uM) e mul0mx mul0mx.
exists (D + B u)%MS; split.
- by rewrite mxrank_disjoint_sum // hr mulSnr addnA leq_add2r.
- by rewrite addsmx_sub h2 hBJ.
move=> s /andP [hus hst]; apply/sub_kermxP; rewrite addsmx_sub; apply/andP; split; apply/sub_kermxP.
  by apply: h3; rewrite (ltnW hus).
by rewrite hB //; case: eqP hus => // ->; rewrite ltnn.
Qed.

Section Leaf.
Variables (net : network) (h v first : nat).
Let n := parameters net.
Let k := size (variables net).
Let size_of u := states (variable_at net u).
Let rest := without net v.
Let c := size_of h.
Let d := (size_of v).-1.
Hypothesis hp : proper_variables net.
Hypothesis hl : is_leaf net h v first.

Let hv : (v < k)%N. Proof. by case/and5P: hl. Qed.
Let hobs : hidden (variable_at net v) = false /\ given (variable_at net v) = false.
Proof. by case/and5P: hl => _; rewrite /hidden /given; case: (place _). Qed.
Let hpar : parents (variable_at net v) = [:: h]. Proof. by case/and5P: hl => _ _ /eqP. Qed.
Let no_child u : (u < k)%N -> v \notin parents (variable_at net u).
Proof. by move=> hu; case/and5P: hl => _ _ _ /allP a _; apply: a; rewrite mem_iota. Qed.
Let enough : (first + c * d <= n)%N. Proof. by case/and5P: hl => _ _ _ _ /and3P []. Qed.
Let entries y s : (y < c)%N -> (s < d)%N -> is_parameter (nth [::] (nth [::] (table (variable_at net v)) y) s) (first + y * d + s).
Proof.
move=> hy hs; case/and5P: hl => _ _ _ _ /and3P [_ /allP a _].
by have /a /allP b : y \in iota 0 c; [rewrite mem_iota | apply: b; rewrite mem_iota].
Qed.
Let free_of j : (first <= j < first + c * d)%N -> Some j \notin occurring rest.
Proof. by move=> hj; case/and5P: hl => _ _ _ _ /and3P [_ _ /allP a]; rewrite -occurrencesP; apply: a; rewrite mem_iota. Qed.

Let hvh : (h < v)%N.
Proof. by have [/allP /(_ h) + _ _] := hp hv; rewrite hpar inE eqxx; apply. Qed.

Lemma size_without : size (variables rest) = k.
Proof. by rewrite size_map size_iota. Qed.

Lemma variable_at_without u : (u < k)%N -> variable_at rest u = if u == v then idle else variable_at net u.
Proof. by move=> hu; rewrite /variable_at (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma sizes_without : sizes rest = set_nth 0%N (sizes net) v 1%N.
Proof.
apply: (@eq_from_nth _ 0%N); first by rewrite size_set_nth !size_map size_iota; apply/esym/maxn_idPr.
move=> u; rewrite size_map size_without => hu; rewrite nth_set_nth /= /sizes (nth_map (Var 1 Hidden [::] [::])) ?size_without //.
rewrite -/(variable_at rest u) variable_at_without //; case: eqP => // _.
by rewrite (nth_map (Var 1 Hidden [::] [::])).
Qed.

Lemma states_without u : (u < k)%N -> u != v -> states (variable_at rest u) = size_of u.
Proof. by move=> hu hne; rewrite variable_at_without // (negbTE hne). Qed.

Lemma proper_without : proper_variables rest.
Proof.
move=> u; rewrite size_without => hu; rewrite /proper_variable variable_at_without //.
have [euv|hne] := eqVneq u v.
  split=> //=; rewrite /rows_of variable_at_without // euv eqxx /= big_nil; split=> //; split=> -[|i] //= _.
  by rewrite big_seq1 /entry_value big_seq1 /term_value /= /coefficient /= divr1 scale1r.
have [h1 h2 h3] := hp hu; split=> //; case: ifP h3 => // _.
suff -> : rows_of rest u = rows_of net u by [].
rewrite /rows_of variable_at_without // (negbTE hne); rewrite big_seq [RHS]big_seq; apply: eq_bigr => q hq.
rewrite states_without //; first by have /allP /(_ q hq) hqu := h1; exact: ltn_trans hqu hu.
by apply: contraTneq hq => ->; apply: no_child.
Qed.

Lemma bound_rest x u : x \in joint_states (sizes rest) -> (u < k)%N -> u != v -> (nth 0 x u < size_of u)%N.
Proof.
move=> hx hu hne; have := joint_states_bound hx; rewrite size_map size_without => /(_ u hu).
by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) ?size_without // -/(variable_at rest u) states_without.
Qed.

Lemma chance_rest u x a : (u < k)%N -> u != v -> chance net u (set_nth 0%N x v a) = chance rest u x.
Proof.
move=> hu hne; rewrite /chance variable_at_without // (negbTE hne); case: ifP => // _.
rewrite /entry_of variable_at_without // (negbTE hne) nth_set (negbTE hne).
suff -> : row_number net u (set_nth 0%N x v a) = row_number rest u x by [].
rewrite /row_number variable_at_without // (negbTE hne).
have hq q : q \in parents (variable_at net u) -> (q < k)%N && (q != v).
  move=> hq; have [/allP /(_ q hq) hqu _ _] := hp hu; rewrite (ltn_trans hqu hu) /=.
  by apply: contraTneq hq => ->; apply: no_child.
pose step net' z row q := (row * states (variable_at net' q) + nth 0 z q)%N.
rewrite -/(step net (set_nth 0%N x v a)) -/(step rest x).
suff gen ps row : (forall q, q \in ps -> (q < k)%N && (q != v)) ->
    foldl (step net (set_nth 0%N x v a)) row ps = foldl (step rest x) row ps by apply: gen.
elim: ps row => //= q ps IH row hps; have /andP [hqk hqv] := hps q (mem_head _ _).
by rewrite {2}/step /step nth_set (negbTE hqv) states_without // IH // => q' hq'; apply: hps; rewrite inE hq' orbT.
Qed.

Lemma chance_idle x : x \in joint_states (sizes rest) -> chance rest v x = 1.
Proof.
move=> hx; have e : variable_at rest v = idle by rewrite variable_at_without // eqxx.
have x0 : nth 0%N x v = 0%N.
  have := joint_states_bound hx; rewrite size_map size_without => /(_ v hv).
  by rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) ?size_without // -/(variable_at rest v) e; case: (nth _ _ _).
rewrite /chance e /= /entry_of e /row_number e /= x0 /=.
by rewrite /entry_value big_seq1 /term_value /= /coefficient /= divr1 scale1r.
Qed.

(* Weights that differ at v alone, where one has none. *)
Definition differ (w w0 : seq (seq N)) : Prop := nth [::] w0 v = [::] /\ forall u, u != v -> nth [::] w u = nth [::] w0 u.

Lemma weighted_rest w w0 x a : differ w w0 -> x \in joint_states (sizes rest) ->
  weighted net w (set_nth 0%N x v a) = (nat_of_bin (weight_of w v a))%:R * chance net v (set_nth 0%N x v a) * weighted rest w0 x.
Proof.
move=> [e0 e1] hx; have hin : v \in iota 0 k by rewrite mem_iota.
rewrite /weighted size_without -/k (bigD1_seq v) ?iota_uniq //= nth_set eqxx; congr (_ * _).
rewrite [RHS](bigD1_seq v) ?iota_uniq //= chance_idle // /weight_of e0 nth_nil !mul1r.
rewrite big_seq_cond [RHS]big_seq_cond; apply: eq_bigr => u; rewrite mem_iota add0n => /andP [/= hu hne].
by rewrite nth_set (negbTE hne) e1 // chance_rest.
Qed.

Let total net' w : {mpoly rat[parameters net']} := \sum_(x <- joint_states (sizes net')) weighted net' w x.

Lemma total_split w : total net w =
  \sum_(x <- joint_states (sizes rest)) \sum_(a <- iota 0 (size_of v)) weighted net w (set_nth 0%N x v a).
Proof.
rewrite /total (@sum_one_variable _ (sizes net) v) ?size_map // -sizes_without; apply: eq_bigr => x _.
by rewrite [in nth _ _ _]/sizes (nth_map (Var 1 Hidden [::] [::])).
Qed.

(* What has no weight is summed out. *)
Lemma total_unweighted w : nth [::] w v = [::] -> total net w = total rest w.
Proof.
move=> e; rewrite total_split /total big_seq [RHS]big_seq; apply: eq_bigr => x hx.
have hd : differ w w by split.
under eq_bigr do rewrite (weighted_rest _ hd hx) /weight_of e nth_nil mul1r.
rewrite -mulr_suml (@chances_sum_to_1 net hp v x hv) ?mul1r ?(proj2 hobs) //.
move=> u hu; apply: bound_rest => //; first exact: ltn_trans hu hv.
by rewrite neq_ltn hu.
Qed.

Definition at_state (w : seq (seq N)) (s : nat) : seq (seq N) := set_nth [::] w v (unit_weight (size_of v) s).

Lemma nth_unit_weight r y s : (s < r)%N -> nat_of_bin (nth 1%num (unit_weight r y) s) = (s == y).
Proof. by move=> hs; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n bin_of_natK. Qed.

Lemma chance_leaf x s : x \in joint_states (sizes rest) -> (s < d)%N ->
  chance net v (set_nth 0%N x v s) = unknown n (first + nth 0%N x h * d + s).
Proof.
move=> hx hs; rewrite /chance (proj2 hobs) /entry_of /row_number hpar /= mul0n add0n !nth_set eqxx.
have hne : h != v by rewrite neq_ltn hvh.
rewrite (negbTE hne) (is_parameterP (entries (bound_rest hx (ltn_trans hvh hv) hne) hs)).
by rewrite /entry_value big_seq1 /term_value /= /coefficient /= divr1 scale1r.
Qed.

Lemma total_at_state w s : nth [::] w v = [::] -> (s < d)%N -> total net (at_state w s) =
  \sum_(x <- joint_states (sizes rest)) unknown n (first + nth 0%N x h * d + s) * weighted rest w x.
Proof.
move=> e hs; rewrite total_split big_seq [RHS]big_seq; apply: eq_bigr => x hx.
have hd : differ (at_state w s) w by split=> // u hu; rewrite nth_set_nth /= (negbTE hu).
have hs' : (s < size_of v)%N by apply: leq_trans hs _; rewrite /d leq_pred.
rewrite (bigD1_seq s) ?iota_uniq ?mem_iota //= big1_seq ?addr0 => [|a /andP [hne ha]].
  by rewrite (weighted_rest _ hd hx) /weight_of nth_set_nth /= eqxx nth_unit_weight // eqxx mul1r chance_leaf.
rewrite mem_iota add0n /= in ha.
by rewrite (weighted_rest _ hd hx) /weight_of nth_set_nth /= eqxx nth_unit_weight // (negbTE hne) !mul0r.
Qed.

(* The derivatives by the parameters of v. *)
Lemma number_ok y s : (y < c)%N -> (s < d)%N -> (first + y * d + s < n)%N.
Proof.
move=> hy hs; apply: leq_trans enough; rewrite -addnA ltn_add2l.
by apply: leq_trans (_ : y.+1 * d <= _)%N; [rewrite mulSnr -addnS leq_add2l | rewrite leq_mul2r hy orbT].
Qed.

Lemma number_free y s : (y < c)%N -> (s < d)%N -> Some (first + y * d + s)%N \notin occurring rest.
Proof.
move=> hy hs; apply: free_of; rewrite -addnA leq_addr /= ltn_add2l.
by apply: leq_trans (_ : y.+1 * d <= _)%N; [rewrite mulSnr -addnS leq_add2l | rewrite leq_mul2r hy orbT].
Qed.

Lemma number_inj y s y' s' : (s < d)%N -> (s' < d)%N ->
  (first + y * d + s == first + y' * d + s')%N = (y == y') && (s == s').
Proof.
move=> hs hs'; rewrite -!addnA eqn_add2l; apply/eqP/andP => [e|[/eqP -> /eqP ->] //].
have hd : (0 < d)%N by apply: leq_ltn_trans hs.
have := congr1 (fun i => (i %/ d)%N) e; rewrite /= !divnMDl // !divn_small // !addn0 => ey.
by split; apply/eqP => //; move: e; rewrite ey => /addnI.
Qed.

Lemma weighted_no_derivative w (j : 'I_n) x : Some (nat_of_ord j) \notin occurring rest -> (weighted rest w x)^`M(j) = 0.
Proof.
move=> hj; rewrite /weighted big_split /= -natr_prod -mpolyC_nat mderiv_mulC.
by rewrite (weight_no_derivative (net := rest) (j := j)) // mulr0.
Qed.

Definition given_parent (w : seq (seq N)) (y : nat) : {mpoly rat[n]} := total rest (set_nth [::] w h (unit_weight c y)).

Lemma given_parentE w y : nth [::] w h = [::] ->
  given_parent w y = \sum_(x <- joint_states (sizes rest)) (nth 0%N x h == y)%:R * weighted rest w x.
Proof.
move=> e; rewrite /given_parent /total big_seq [RHS]big_seq; apply: eq_bigr => x hx.
have hk : (h < k)%N := ltn_trans hvh hv.
have hin : h \in iota 0 k by rewrite mem_iota.
have hne : h != v by rewrite neq_ltn hvh.
rewrite /weighted size_without (bigD1_seq h) ?iota_uniq //= /weight_of nth_set_nth /= eqxx nth_unit_weight; last exact: bound_rest.
rewrite [X in _ = _ * X](bigD1_seq h) ?iota_uniq //= /weight_of e nth_nil mul1r mulrA; congr (_ * _).
by apply: eq_bigr => u hu; rewrite nth_set_nth /= (negbTE hu).
Qed.

Lemma derivative_at_state w y s s' (j : 'I_n) : nth [::] w v = [::] -> nth [::] w h = [::] -> (y < c)%N -> (s < d)%N -> (s' < d)%N ->
  nat_of_ord j = (first + y * d + s')%N -> (total net (at_state w s))^`M(j) = (s == s')%:R * given_parent w y.
Proof.
move=> ev eh hy hs hs' ej; rewrite total_at_state // given_parentE // mulr_sumr (raddf_sum (mderiv_additive rat_Ring j)).
rewrite big_seq [RHS]big_seq; apply: eq_bigr => x hx /=.
have hne : h != v by rewrite neq_ltn hvh.
have hxh := bound_rest hx (ltn_trans hvh hv) hne.
rewrite mderivM weighted_no_derivative; last by rewrite ej number_free.
rewrite mulr0 addr0 mulrA; congr (_ * _).
rewrite /unknown insubT; first exact: number_ok.
move=> hj; rewrite mderiv_unknown -val_eqE /= ej number_inj //.
by case: (_ == y); case: (s == s'); rewrite ?mulr0 ?mulr1.
Qed.

(* The derivatives of sums of cells are in the row space of the Jacobian. *)
Let tofrac := [rmorphism of @FracField.tofrac [idomainType of {mpoly rat[n]}]].
Let K := [fieldType of {fraction {mpoly rat[n]}}].
Let J : 'M[K]_(size (cells net), n) := map_mx tofrac (jacobian net).
Definition gradient (f : {mpoly rat[n]}) : 'rV[K]_n := \row_j tofrac f^`M(j).

Lemma gradient_total w : unweighted net w -> (gradient (total net w) <= J)%MS.
Proof.
move=> hw; rewrite /total (functionalP hw); apply/submxP.
exists (\row_o (cell_weight (seen net) w (nth [::] (cells net) o))%:R); apply/rowP => j.
rewrite [LHS]mxE /functional (raddf_sum (mderiv_additive rat_Ring j)) rmorph_sum [RHS]mxE; apply: eq_bigr => o _ /=.
by rewrite !mxE -mpolyC_nat mderiv_mulC rmorphM /= mpolyC_nat rmorph_nat.
Qed.

Let A : 'M[K]_(size (cells rest), n) := map_mx tofrac (jacobian rest).

Lemma hidden_rest u : (u < k)%N -> hidden (variable_at net u) -> hidden (variable_at rest u).
Proof. by move=> hu; rewrite variable_at_without //; case: eqP. Qed.

Lemma rest_rows : (A <= J)%MS.
Proof.
apply/row_subP => i; pose y := spread (seen rest) (nth [::] (cells rest) i).
have [hy ey] : y \in joint_states (sizes rest) /\ mask (seen rest) y = nth [::] (cells rest) i.
  apply: spreadP; rewrite ?size_map //; last by apply: mem_nth.
  apply/(all_nthP 0%N) => u; rewrite size_map => hu; rewrite /sizes (nth_map (Var 1 Hidden [::] [::])) //.
  by have [_ + _] := proper_without hu.
have e : coordinate rest (nth [::] (cells rest) i) = total net (shown rest y).
  rewrite -ey (coordinate_nested proper_without hy) -(nestedP proper_without) total_unweighted //.
  rewrite /shown (nth_map 0%N) ?size_iota ?size_without // nth_iota ?size_without // add0n.
  by rewrite variable_at_without // eqxx.
have -> : row i A = gradient (total net (shown rest y)).
  by apply/rowP => j; rewrite !mxE -e.
apply: gradient_total; apply/allP => u; rewrite mem_iota add0n => /= hu; apply/implyP => hh.
by rewrite /shown (nth_map 0%N) ?size_iota ?size_without // nth_iota ?size_without // add0n hidden_rest.
Qed.

Let parameter_of s : 'M[K]_(n, c) := \matrix_(j, y) (nat_of_ord j == first + y * d + s)%N%:R.

Lemma times_parameter_of q (X : 'M[K]_(q, n)) s (hs : (s < d)%N) i (y : 'I_c) :
  (X *m parameter_of s) i y = X i (Ordinal (number_ok (ltn_ord y) hs)).
Proof.
rewrite mxE (bigD1 (Ordinal (number_ok (ltn_ord y) hs))) //= mxE eqxx mulr1 big1 ?addr0 // => j hj.
by rewrite mxE -val_eqE /= in hj *; rewrite (negbTE hj) mulr0.
Qed.

Variable w : 'I_c -> seq (seq N).
Hypothesis w_ok : forall i, [/\ unweighted net (w i), nth [::] (w i) h = [::] & nth [::] (w i) v = [::]].
Hypothesis w_independent : (\matrix_(i, y) tofrac (given_parent (w i) y) : 'M[K]_c) \in unitmx.

Theorem one_leaf : (dimension rest + c * d <= dimension net)%N.
Proof.
rewrite mulnC; apply: (rank_blocks (A := A) (J := J) (B := fun s => \matrix_i gradient (total net (at_state (w i) s)))
  (E := parameter_of) w_independent).
- move=> s hs; apply/matrixP => i y; rewrite times_parameter_of !mxE.
  by rewrite (no_derivative (net := rest)) ?rmorph0 //= number_free.
- move=> s s' hs hs'; apply/matrixP => i y; rewrite times_parameter_of mxE mxE.
  have [_ eh ev] := w_ok i; rewrite (derivative_at_state ev eh (ltn_ord y) hs hs') //.
  by case: eqP => _; rewrite ?mul1r ?mul0r ?rmorph0 mxE.
- exact: rest_rows.
move=> s hs; apply/row_subP => i; rewrite rowK; apply: gradient_total.
have [/allP hw _ _] := w_ok i; apply/allP => u hu; apply/implyP => hh; rewrite nth_set_nth /=.
case: ifP => [/eqP e|_]; first by move: hh; rewrite e (proj1 hobs).
by have := hw u hu; rewrite hh.
Qed.

End Leaf.

(* Sums of cells, given the states of h, whose matrix has an inverse. *)
Definition is_independent (net : network) (h c : nat) (ws : seq (seq (seq N))) : Prop :=
  (\matrix_(i < c, y < c) FracField.tofrac
    (\sum_(x <- joint_states (sizes net)) weighted net (set_nth [::] (nth [::] ws i) h (unit_weight c y)) x)) \in unitmx.

Definition suitable (net : network) (h : nat) (leaves : seq (nat * nat)) (w : seq (seq N)) : bool :=
  [&& unweighted net w, size (nth [::] w h) == 0 & all (fun l => size (nth [::] w l.1) == 0) leaves]%N.

Lemma leaf_step net h v first c ws : proper_variables net -> is_leaf net h v first -> states (variable_at net h) = c ->
  (forall i : 'I_c, [/\ unweighted net (nth [::] ws i), nth [::] (nth [::] ws i) h = [::] & nth [::] (nth [::] ws i) v = [::]]) ->
  is_independent (without net v) h c ws ->
  is_independent net h c ws /\ (dimension (without net v) + c * (states (variable_at net v)).-1 <= dimension net)%N.
Proof.
move=> hp hl hc; subst c => hw hi; split; last exact: (one_leaf hp hl (w := fun i => nth [::] ws i) hw hi).
move: hi; rewrite /is_independent; congr (_ \in unitmx); apply/matrixP => i y; rewrite !mxE; congr FracField.tofrac.
have hvh : (h < v)%N.
  case/and5P: (hl) => hv _ /eqP e _ _; have [/allP /(_ h) + _ _] := hp v hv; by rewrite e inE eqxx; apply.
have [_ _ ev] := hw i.
rewrite (total_unweighted hp hl) // nth_set_nth /= ifN_eq ?ev // neq_ltn hvh; exact: orbT.
Qed.

Lemma many_leaves net h c leaves ws : proper_variables net -> are_leaves net h leaves -> states (variable_at net h) = c ->
  (forall i : 'I_c, suitable net h leaves (nth [::] ws i)) -> is_independent (dropped net leaves) h c ws ->
  [/\ is_independent net h c ws, (dimension (dropped net leaves) + added net c leaves <= dimension net)%N &
    proper_variables (dropped net leaves)].
Proof.
elim: leaves net => [|[v first] leaves IH] net hp /=; first by rewrite addn0.
move=> /andP [hl hls] hc hw hi.
have hvk : (v < size (variables net))%N by case/and5P: hl.
have hvh : (h < v)%N.
  by case/and5P: (hl) => _ _ /eqP e _ _; have [/allP /(_ h) + _ _] := hp v hvk; rewrite e inE eqxx; apply.
have hc' : states (variable_at (without net v) h) = c.
  by rewrite (@states_without net v h (ltn_trans hvh hvk)) // neq_ltn hvh.
have hw' (i : 'I_c) : suitable (without net v) h leaves (nth [::] ws i).
  have /and3P [/allP h1 h2 /andP [/= h3 h4]] := hw i; apply/and3P; split; [apply/allP => u | by [] | by []].
  rewrite size_without mem_iota add0n => /= hu; rewrite variable_at_without //; have [->|ne] := eqVneq u v.
    by rewrite h3 implybT.
  by apply: h1; rewrite mem_iota.
have [hi' hd hp'] := IH (without net v) (proper_without hp hl) hls hc' hw' hi.
have hw2 (i : 'I_c) : [/\ unweighted net (nth [::] ws i), nth [::] (nth [::] ws i) h = [::] & nth [::] (nth [::] ws i) v = [::]].
  by have /and3P [h1 /eqP/size0nil h2 /andP [/= /eqP/size0nil h3 _]] := hw i.
have [hi2 hd2] := leaf_step hp hl hc hw2 hi'; split=> //.
by apply: leq_trans hd2; rewrite addnCA [X in (X <= _)%N]addnC leq_add2r.
Qed.

Theorem check_leavesP net h leaves e : proper_variables net -> check_leaves net h leaves e ->
  proper_variables (dropped net leaves) /\
  (dimension (dropped net leaves) + added net (states (variable_at net h)) leaves <= dimension net)%N.
Proof.
rewrite /check_leaves; set m := independence_modulus e; set red := red_of _ _; set c := states _; set rest := dropped _ _.
set tables := jets_of_tables _ _ _ _ => hp /and5P [hl m_gt1 parents_ok defined_ok /andP [hw hinv]].
have red_val x : val_of m (red x) = val_of m x by exact: val_red.
have hsize : size (witnesses e) = c by apply/eqP; move: hinv => /and5P [h1 _ _ _ _]; move: h1; rewrite size_map.
have hw' (i : 'I_c) : suitable net h leaves (nth [::] (witnesses e) i).
  by have /(all_nthP [::]) := hw; apply; rewrite hsize.
suff hi : is_independent rest h c (witnesses e).
  by have [_ h1 h2] := many_leaves hp hl (erefl c) hw' hi.
pose n := parameters rest; pose S := @at_point n (nat_of_bin m) (@point_of n (independence_point e)).
have HS : is_place S by exact: at_pointP.
rewrite /is_independent; set A := (X in X \in _).
suff hA : related S A (matrix_of m c [seq [seq (contracted red rest tables (set_nth [::] w h (unit_weight c y))).1 | y <- iota 0 c] | w <- witnesses e]).
  by have [] := related_inverse HS hA (inverse_ofP red_val hinv).
move=> i y; rewrite mxE [matrix_of _ _ _ i y]mxE (nth_map [::]) ?hsize // (nth_map 0%N) ?size_iota // nth_iota // add0n.
apply: at_point_poly.
by have [] := @contractedP m red rest (independence_point e) m_gt1 red_val defined_ok parents_ok (set_nth [::] (nth [::] (witnesses e) i) h (unit_weight c y)).
Qed.

(* Lower bounds: a minor of the Jacobian that is a unit modulo m at a point. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Lemma "lower bound" (a): the rank at a rational point is at most the dimension. *)
Theorem rank_at_rational_point (net : network) point : (\rank (jacobian_at net point) <= dimension net)%N.
Proof. exact: rank_at_most. Qed.

(* Lemma "lower bound" (b), in linear algebra: the rank modulo a prime of a matrix of integers is at most its rank over
   the rationals. *)
Theorem rank_modulo_prime (p : nat) (m n : nat) (A : 'M[int]_(m, n)) : prime p ->
  (\rank (map_mx (fun a : int => a%:~R : 'F_p) A) <= \rank (map_mx (fun a : int => a%:~R : rat) A))%N.
Proof.
move=> hp; set B := map_mx (fun a : int => a%:~R : 'F_p) A.
have [f [g h]] := minor_of_rank B.
apply: leq_trans (mxrank_mxsub f g _); rewrite mxrank_unit // unitmxE unitfE.
rewrite -map_mxsub (det_map_mx [rmorphism of intr]) /= intr_eq0.
move: h; rewrite -map_mxsub (det_map_mx [rmorphism of intr]) /=.
by apply: contraNneq => ->.
Qed.

(* Computing -------------------------------------------------------------------------------------------------------- *)
Definition dot (a b : seq N) : N := foldl (fun s p => (s + p.1 * p.2)%num) N0 (zip a b).

(* Whether the matrix with these rows, times the matrix with these columns, is the unit matrix. *)
Definition inverse_of (red : N -> N) (r : nat) (rows columns : seq (seq N)) : bool :=
  [&& size rows == r, size columns == r, all (fun row => size row == r) rows, all (fun c => size c == r) columns &
    all (fun i => let row := nth [::] rows i in
      all (fun j => N.eqb (red (dot row (nth [::] columns j))) (if i == j then 1%num else N0)) (iota 0 r)) (iota 0 r)].

Definition parents_known (net : network) : bool :=
  all (fun V => all (fun u => u < size (variables net))%N (parents V)) (variables net).
Definition unweighted (net : network) (w : seq (seq N)) : bool :=
  all (fun v => hidden (variable_at net v) ==> (size (nth [::] w v) == 0)%N) (iota 0 (size (variables net))).

Record minor := Minor {
  modulus : N; bits : nat;      (* the modulus, and how many bits longer than it numbers get before they are reduced *)
  minor_point : seq N;          (* the parameters *)
  probes : seq (seq (seq N));   (* each a list of numbers for each variable, one for each state; none if it is hidden *)
  columns : seq nat;            (* parameters *)
  inverse_columns : seq (seq N) (* the inverse of the minor, column by column *)
}.

Definition minor_rows (net : network) (red : N -> N) (c : minor) : seq (seq N) :=
  let tables := jets_of_tables (modulus c) red net (minor_point c) in
  [seq (let a := contracted red net tables w in [seq slope a j | j <- columns c]) | w <- probes c].

Definition check_minor (net : network) (c : minor) : bool :=
  let red := red_of (modulus c) (bits c) in
  [&& N.ltb 1 (modulus c), parents_known net, all_defined (modulus c) red net, all (unweighted net) (probes c),
    all (fun j => j < parameters net)%N (columns c) &
    inverse_of red (size (columns c)) (minor_rows net red c) (inverse_columns c)].

(* What is computed is right ---------------------------------------------------------------------------------------- *)
Section Functionals.
Variable net : network.
Let n := parameters net.
Let k := size (variables net).

Lemma uniq_joint_states s : uniq (joint_states s).
Proof.
elim: s => //= r rs IH; apply: allpairs_uniq => //; first exact: iota_uniq.
by move=> [a x] [b y] _ _ /= [-> ->].
Qed.

Lemma mask_joint_states b s x : x \in joint_states s -> mask b x \in joint_states (mask b s).
Proof.
elim: s b x => [|r rs IH] b x /=; first by rewrite inE => /eqP ->; rewrite !mask0 inE.
move=> /allpairsP [[a y] /= [ha hy ->]]; case: b => [|[] b] /=; rewrite ?inE //; last exact: IH.
by apply: allpairs_f => //; apply: IH.
Qed.

Fixpoint cell_weight (b : seq bool) (w : seq (seq N)) (o : seq nat) : nat :=
  match b with
  | [::] => 1
  | true :: b' => nat_of_bin (nth 1%num (head [::] w) (head 0%N o)) * cell_weight b' (behead w) (behead o)
  | false :: b' => cell_weight b' (behead w) o
  end.

Lemma weight_of_behead w v s : weight_of w v.+1 s = weight_of (behead w) v s.
Proof. by rewrite /weight_of nth_behead. Qed.

Lemma cell_weightP b w x : size x = size b -> (forall v, v < size b -> ~~ nth false b v -> nth [::] w v = [::])%N ->
  (\prod_(v <- iota 0 (size b)) nat_of_bin (weight_of w v (nth 0%N x v)))%N = cell_weight b w (mask b x).
Proof.
elim: b w x => [|c b IH] w [|s x] //=; first by rewrite big_nil.
move=> [hs] h; rewrite big_cons -[1%N]addn0 iotaDl big_map.
have -> : (\prod_(j <- iota 0 (size b)) nat_of_bin (weight_of w (1 + j) (nth 0%N (s :: x) (1 + j))))%N =
    cell_weight b (behead w) (mask b x).
  rewrite -IH //; last by move=> v hv hb; have := h v.+1 hv hb; rewrite nth_behead.
  by apply: eq_bigr => v _; rewrite add1n weight_of_behead.
case: c h => h /=; first by rewrite /weight_of nth0.
by rewrite /weight_of (h 0%N) // nth_default //= mul1n.
Qed.

Definition functional (w : seq (seq N)) : {mpoly rat[n]} :=
  \sum_(i < size (cells net)) (cell_weight (seen net) w (nth [::] (cells net) i))%:R * coordinate net (nth [::] (cells net) i).

Lemma functionalP w : unweighted net w -> \sum_(x <- joint_states (sizes net)) weighted net w x = functional w.
Proof.
move=> hw; rewrite /functional.
rewrite -(big_mkord xpredT (fun i => (cell_weight (seen net) w (nth [::] (cells net) i))%:R * coordinate net (nth [::] (cells net) i))).
rewrite -(big_nth [::] xpredT (fun o => (cell_weight (seen net) w o)%:R * coordinate net o)).
under [RHS]eq_bigr do rewrite /coordinate mulr_sumr big_mkcond.
rewrite exchange_big /=; rewrite big_seq [RHS]big_seq; apply: eq_bigr => x hx.
rewrite -big_mkcond /= (eq_bigl (pred1 (mask (seen net) x))); last by move=> o /=; rewrite eq_sym.
rewrite -big_filter filter_pred1_uniq ?uniq_joint_states ?big_seq1 //; last exact: mask_joint_states.
have sx : size x = k by rewrite (size_joint_states hx) size_map.
rewrite /weighted big_split /=; congr (_ * _).
have ss : size (seen net) = k by rewrite size_map.
have h v : (v < size (seen net))%N -> ~~ nth false (seen net) v -> nth [::] w v = [::].
  rewrite ss => hv; rewrite /seen (nth_map (Var 1 Hidden [::] [::])) // negbK => hh.
  by have /allP /(_ v) := hw; rewrite mem_iota add0n /= hv -/(variable_at net v) hh => /(_ isT) /eqP /size0nil.
by rewrite -(cell_weightP (etrans sx (esym ss)) h) ss natr_prod.
Qed.

End Functionals.

Section Sound.
Variables (m : N) (red : N -> N).
Hypothesis m_gt1 : N.ltb 1 m.
Hypothesis red_val : forall x, val_of m (red x) = val_of m x.

Lemma val_dot r a b : size a = r -> size b = r ->
  val_of m (dot a b) = \sum_(i < r) val_of m (nth N0 a i) * val_of m (nth N0 b i).
Proof.
suff h s : forall c d, size c = r -> size d = r ->
    val_of m (foldl (fun s p => (s + p.1 * p.2)%num) s (zip c d)) =
    val_of m s + \sum_(i < r) val_of m (nth N0 c i) * val_of m (nth N0 d i).
  by move=> ha hb; rewrite /dot h // -[RHS]add0r.
elim: r s => [|r' IH] s [|x c] [|y d] //=; first by rewrite big_ord0 addr0.
move=> [hc] [hd]; rewrite IH // val_add val_mul big_ord_recl /= addrA.
by congr (_ + _); apply: eq_bigr => i _.
Qed.

Definition matrix_of (r : nat) (rows : seq (seq N)) : 'M['Z_(nat_of_bin m)]_r :=
  \matrix_(i, j) val_of m (nth N0 (nth [::] rows i) j).

Lemma inverse_ofP r rows cols : inverse_of red r rows cols -> matrix_of r rows *m (matrix_of r cols)^T = 1%:M.
Proof.
move=> /and5P [/eqP hr /eqP hc /all_nthP ha /all_nthP hb /allP h].
apply/matrixP => i j; rewrite !mxE.
have hi : nat_of_ord i \in iota 0 r by rewrite mem_iota /=.
have hj : nat_of_ord j \in iota 0 r by rewrite mem_iota /=.
have /allP /(_ _ hj) /N.eqb_eq e := h _ hi.
have si : size (nth [::] rows i) = r by apply/eqP; apply: ha; rewrite hr.
have sj : size (nth [::] cols j) = r by apply/eqP; apply: hb; rewrite hc.
under eq_bigr do rewrite !mxE.
by rewrite -(val_dot si sj) -red_val e -val_eqE /=; case: eqP.
Qed.

(* The matrix of a computed minor is a minor of the Jacobian multiplied by a matrix of numbers. *)
Variables (net : network) (point : seq N) (weights : seq (seq (seq N))) (cols : seq nat).
Let n := parameters net.
Hypothesis defined_ok : all_defined m red net.
Hypothesis parents_ok : parents_known net.
Hypothesis weights_ok : all (unweighted net) weights.
Hypothesis cols_ok : all (fun j => j < n)%N cols.

Let K := {fraction {mpoly rat[n]}}.
Let tofrac := [rmorphism of @FracField.tofrac [idomainType of {mpoly rat[n]}]].

Definition functionals : 'M[K]_(size weights, size (cells net)) :=
  \matrix_(i, o) (cell_weight (seen net) (nth [::] weights i) (nth [::] (cells net) o))%:R.

Lemma functionals_jacobian i j :
  (functionals *m map_mx tofrac (jacobian net)) i j = tofrac (functional net (nth [::] weights i))^`M(j).
Proof.
rewrite mxE /functional (raddf_sum (mderiv_additive rat_Ring j)) rmorph_sum; apply: eq_bigr => o _ /=.
rewrite !mxE -mulr_natl -mpolyC_nat mderiv_mulC rmorphM /= mpolyC_nat.
by rewrite rmorph_nat mulr_natl.
Qed.

Definition computed_rows : seq (seq N) :=
  [seq (let a := contracted red net (jets_of_tables m red net point) w in [seq slope a j | j <- cols]) | w <- weights].

Lemma computed_related i j (hi : (i < size weights)%N) (hj : (nth 0%N cols j < n)%N) : (j < size cols)%N ->
  @at_point n (nat_of_bin m) (@point_of n point)
    ((functionals *m map_mx tofrac (jacobian net)) (Ordinal hi) (Ordinal hj)) (val_of m (nth N0 (nth [::] computed_rows i) j)).
Proof.
move=> lj; rewrite functionals_jacobian /= (nth_map [::]) // (nth_map 0%N) // (slope_sum m).
apply: at_point_poly.
have hw : unweighted net (nth [::] weights i) by have /(all_nthP [::]) := weights_ok; apply.
rewrite -(functionalP hw).
by have [_ /(_ (Ordinal hj))] := @contractedP m red net point m_gt1 red_val defined_ok parents_ok (nth [::] weights i).
Qed.

End Sound.

Theorem check_minorP net c : check_minor net c -> (size (columns c) <= dimension net)%N.
Proof.
rewrite /check_minor; set red := red_of _ _; move=> /and5P [m_gt1 parents_ok defined_ok weights_ok /andP [cols_ok h]].
have red_val x : val_of (modulus c) (red x) = val_of (modulus c) x by exact: val_red.
set m := modulus c in m_gt1 h red_val defined_ok *; set cols := columns c in cols_ok h *; set r := size cols.
have hrows : size (probes c) = r by apply/eqP; move: h => /and5P [e _ _ _ _]; move: e; rewrite /minor_rows size_map.
have f_ok (i : 'I_r) : (i < size (probes c))%N by rewrite hrows.
have g_ok (j : 'I_r) : (nth 0%N cols j < parameters net)%N by have /(all_nthP 0%N) := cols_ok; apply.
pose f i := Ordinal (f_ok i); pose g j := Ordinal (g_ok j).
apply: leq_trans (mxrankM_maxr (functionals net (probes c)) _).
apply: (rank_minor (at_pointP (nat_of_bin m) (@point_of _ (minor_point c))) (f := f) (g := g) _ (inverse_ofP red_val h)).
move=> i j; rewrite [mxsub _ _ _ i j]mxE [matrix_of _ _ _ i j]mxE.
exact: (computed_related m_gt1 red_val _ defined_ok parents_ok weights_ok (f_ok i) (g_ok j) (ltn_ord j)).
Qed.

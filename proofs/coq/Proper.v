(* Whether a network is proper, by computing; in a proper network the probabilities sum to 1. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Residues Contract.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)

(* Fractions that are not negative; a sum of terms has a positive and a negative part. *)
Definition fraction_sum (s : seq (N * N)) : N * N := foldr (fun f g => (f.1 * g.2 + g.1 * f.2, f.2 * g.2)%num) (N0, 1%num) s.
Definition positive_part (t : term) : N * N := (if numerator t is BinNums.Zpos a then Npos a else N0, Npos (denominator t)).
Definition negative_part (t : term) : N * N := (if numerator t is BinNums.Zneg a then Npos a else N0, Npos (denominator t)).

(* Whether the coefficients of these terms sum to a number. *)
Definition terms_sum (terms : seq term) (value : N) : bool :=
  let p := fraction_sum [seq positive_part t | t <- terms] in
  let q := fraction_sum [seq negative_part t | t <- terms] in
  N.eqb (p.1 * q.2) ((q.1 + value * q.2) * p.2).

Definition row_sums_to_1 (row : seq entry) : bool :=
  let terms := flatten row in
  let names := undup [seq parameter t | t <- terms] in
  (None \in names) &&
  all (fun k => terms_sum [seq t <- terms | parameter t == k] (if k is None then 1%num else N0)) names.

Definition is_proper_variable (net : network) (v : nat) : bool :=
  let V := variable_at net v in
  [&& all (fun u => u < v)%N (parents V), (0 < states V)%N &
    if given V then size (parents V) == 0%N else
    let rows := foldr (fun u k => states (variable_at net u) * k)%N 1%N (parents V) in
    (size (table V) == rows) && all (fun row => (size row == states V) && row_sums_to_1 row) (table V)].
Definition is_proper_variables (net : network) : bool := all (is_proper_variable net) (iota 0 (size (variables net))).
(* Of each parameter, whether it occurs. *)
Definition occurrences (net : network) : seq bool :=
  foldl (fun marks k => if k is Some j then set_nth false marks j true else marks) [::] (occurring net).
Definition is_proper (net : network) : bool :=
  is_proper_variables net && let marks := occurrences net in all (nth false marks) (iota 0 (parameters net)).

(* What is computed is right ---------------------------------------------------------------------------------------- *)
Definition fraction_value (f : N * N) : rat := (nat_of_bin f.1)%:R / (nat_of_bin f.2)%:R.

Lemma fraction_sumP (s : seq (N * N)) : all (fun f => nat_of_bin f.2 != 0)%N s ->
  fraction_value (fraction_sum s) = \sum_(f <- s) fraction_value f /\ nat_of_bin (fraction_sum s).2 != 0%N.
Proof.
elim: s => [|f s IH] /=; first by rewrite big_nil /fraction_value mul0r.
move=> /andP [hf /IH [e h]]; rewrite big_cons -e /fraction_value /=.
rewrite nat_of_add_bin !nat_of_mul_bin muln_eq0 negb_or hf h; split=> //.
by rewrite natrD !natrM addf_div // Num.Theory.pnatr_eq0.
Qed.

Lemma nat_of_pos_neq0 p : nat_of_pos p != 0%N.
Proof. by elim: p => //= p; rewrite NatTrec.doubleE double_eq0. Qed.

Lemma coefficient_parts t : coefficient t = fraction_value (positive_part t) - fraction_value (negative_part t).
Proof.
rewrite /coefficient /fraction_value /=; case: (numerator t) => [|a|a] /=; rewrite ?mul0r ?subr0 ?sub0r //.
by rewrite rmorphN mulNr.
Qed.

Lemma terms_sumP terms value : terms_sum terms value -> \sum_(t <- terms) coefficient t = (nat_of_bin value)%:R.
Proof.
move=> /N.eqb_eq h.
have [ep hp] : fraction_value (fraction_sum [seq positive_part t | t <- terms]) = \sum_(t <- terms) fraction_value (positive_part t)
    /\ nat_of_bin (fraction_sum [seq positive_part t | t <- terms]).2 != 0%N.
  rewrite -(big_map positive_part xpredT fraction_value); apply: fraction_sumP.
  by rewrite all_map; elim: (terms) => //= t s ->; rewrite nat_of_pos_neq0.
have [eq hq] : fraction_value (fraction_sum [seq negative_part t | t <- terms]) = \sum_(t <- terms) fraction_value (negative_part t)
    /\ nat_of_bin (fraction_sum [seq negative_part t | t <- terms]).2 != 0%N.
  rewrite -(big_map negative_part xpredT fraction_value); apply: fraction_sumP.
  by rewrite all_map; elim: (terms) => //= t s ->; rewrite nat_of_pos_neq0.
under eq_bigr do rewrite coefficient_parts.
rewrite sumrB -ep -eq /fraction_value; move: h hp hq.
set p := fraction_sum _; set q := fraction_sum _; move=> h hp hq.
have := congr1 (fun x => (nat_of_bin x)%:R : rat) h.
rewrite /= !(nat_of_mul_bin, nat_of_add_bin) !(natrM, natrD) => e.
have up : (nat_of_bin p.2)%:R != 0 :> rat by rewrite Num.Theory.pnatr_eq0.
have uq : (nat_of_bin q.2)%:R != 0 :> rat by rewrite Num.Theory.pnatr_eq0.
apply: (mulIf up); apply: (mulIf uq); rewrite mulrBl divfK // mulrBl e.
by rewrite mulrAC divfK // mulrDl mulrAC addrC addKr mulrAC.
Qed.

Lemma grouped_terms n terms : \sum_(t <- terms) term_value n t =
  \sum_(k <- undup [seq parameter t | t <- terms]) (\sum_(t <- terms | parameter t == k) coefficient t) *:
    (if k is Some j then unknown n j else 1).
Proof.
set names := undup _; pose var (k : option nat) : {mpoly rat[n]} := if k is Some j then unknown n j else 1.
have hin t : List.In t terms -> parameter t \in names.
  rewrite mem_undup; elim: (terms) => //= t' s IH [->|/IH]; rewrite inE ?eqxx // => ->; exact: orbT.
have un : uniq names by exact: undup_uniq.
under [RHS]eq_bigr do rewrite big_mkcond scaler_suml.
rewrite exchange_big /=; elim: (terms) hin => [|t s IH] hin; first by rewrite !big_nil.
rewrite !big_cons IH; last by move=> t' ht'; apply: hin; right.
congr (_ + _); rewrite (bigD1_seq (parameter t)) //=; last by apply: hin; left.
rewrite eqxx big1 ?addr0 // => k hk; rewrite eq_sym (negbTE hk) scale0r //.
Qed.

Lemma row_sums_to_1P n row : row_sums_to_1 row -> \sum_(e <- row) entry_value n e = 1.
Proof.
move=> /andP [hnone /allP h]; set terms := flatten row in hnone h *; set names := undup _ in hnone h *.
have -> : \sum_(e <- row) entry_value n e = \sum_(t <- terms) term_value n t.
  by rewrite /terms; elim: (row) => [|e s IH]; rewrite ?big_nil // big_cons IH /= big_cat.
have un : uniq names by exact: undup_uniq.
rewrite grouped_terms -/names.
rewrite (bigD1_seq None) //= -big_filter (terms_sumP (h _ hnone)) /= scale1r.
rewrite big1_seq ?addr0 // => k /andP [hk hkn]; rewrite -big_filter (terms_sumP (h _ hkn)).
by case: k hk {hkn} => // k _; rewrite scale0r.
Qed.

Lemma is_proper_variablesP net : is_proper_variables net -> proper_variables net.
Proof.
move=> /allP h; rewrite /proper_variables; cbv zeta; move=> v hv.
have := h v; rewrite mem_iota add0n /= => /(_ hv) {h} /and3P [h1 h2 h3].
split=> //; case: ifP h3 => _; first by move=> /eqP /size0nil.
have -> : foldr (fun u k => states (variable_at net u) * k)%N 1%N (parents (variable_at net v)) = rows_of net v.
  by rewrite /rows_of; elim: (parents _) => [|u s /= ->]; rewrite ?big_nil ?big_cons.
move=> /andP [/eqP e /all_nthP ha]; split=> //; rewrite -e; split=> i hi; have /andP [h4 h5] := ha [::] i hi.
  exact/eqP.
exact: row_sums_to_1P.
Qed.

Lemma occurrencesP net j : nth false (occurrences net) j = (Some j \in occurring net).
Proof.
rewrite /occurrences; suff h s marks : nth false (foldl (fun marks k => if k is Some j then set_nth false marks j true else marks) marks s) j =
    nth false marks j || (Some j \in s) by rewrite h nth_nil.
elim: s marks => [|[k|] s IH] marks; rewrite /= ?orbF // IH inE ?orFb //.
rewrite nth_set_nth /= [Some j == _]/eq_op /=; by case: eqP => [->|_] /=; rewrite ?orbT.
Qed.

Theorem is_properP net : is_proper net -> proper net.
Proof.
move=> /andP [/is_proper_variablesP h /allP names]; split=> // k hk; by rewrite -occurrencesP; apply: names; rewrite mem_iota.
Qed.

(* Probabilities sum to 1, for every state of what is given. *)
Section Sums.
Variables (net : network).
Hypothesis hp : proper_variables net.
Let n := parameters net.
Let vs := variables net.
Let size_of v := states (variable_at net v).

Lemma row_number_bound v x : (v < size vs)%N -> (forall u, u < v -> nth 0 x u < size_of u)%N ->
  (row_number net v x < rows_of net v)%N.
Proof.
move=> hv hx; have [/allP hpar _ _] := hp hv.
have : forall u, u \in parents (variable_at net v) -> (nth 0%N x u < size_of u)%N by move=> u /hpar; apply: hx.
rewrite /row_number /rows_of -[X in foldl _ X]/0%N.
pose step row u := (row * size_of u + nth 0 x u)%N; rewrite -/step.
suff gen : forall ps r k, (r < k)%N -> (forall u, u \in ps -> nth 0 x u < size_of u)%N ->
    (foldl step r ps < k * \prod_(u <- ps) size_of u)%N.
  by move=> h; rewrite -[X in (_ < X)%N]mul1n; apply: gen.
elim=> [|u ps IH] r k hr h /=; first by rewrite big_nil muln1.
rewrite big_cons mulnA; apply: IH; last by move=> w hw; apply: h; rewrite inE hw orbT.
have hu : (nth 0%N x u < size_of u)%N by apply: h; rewrite inE eqxx.
rewrite /step; apply: (@leq_trans (r * size_of u + size_of u)); first by rewrite -addnS leq_add2l.
by rewrite -mulSnr leq_mul2r hr orbT.
Qed.

(* The entries of a row sum to 1. *)
Lemma chances_sum_to_1 v x : (v < size vs)%N -> (forall u, u < v -> nth 0 x u < size_of u)%N -> ~~ given (variable_at net v) ->
  \sum_(s <- iota 0 (size_of v)) chance net v (set_nth 0%N x v s) = 1.
Proof.
move=> hv hx hg; have [/allP hpar _ ] := hp hv; rewrite (negbTE hg) => -[_ [hs h1]].
have hr := row_number_bound hv hx.
rewrite -(h1 _ hr) (big_nth [::]) (hs _ hr) /index_iota subn0; apply: eq_big_seq => s hs'.
rewrite /chance (negbTE hg) /entry_of nth_set eqxx; congr (entry_value _ (nth _ (nth _ _ _) _)).
apply: row_number_ext => u hu; rewrite nth_set; case: eqP => // e.
by move: (hpar u hu); rewrite e ltnn.
Qed.

(* A table depends on the states of a variable and its parents. *)
Lemma chance_ext v x y : nth 0%N x v = nth 0%N y v -> agree (parents (variable_at net v)) x y -> chance net v x = chance net v y.
Proof. by move=> e h; rewrite /chance /entry_of e (row_number_ext h). Qed.

End Sums.

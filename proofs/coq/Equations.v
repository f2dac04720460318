(* Upper bounds by equations: linear forms on the cells that annihilate the Jacobian, shown at one point modulo m.

   A matrix of sums of cells is a product A B with inner dimension k, identically in the parameters. Where some k x k
   minor of it is not zero, the left kernel of A B is that of A, the right kernel is that of B; so for l and r in these
   kernels l (dA B + A dB) r = 0: the form y -> l M(y) r annihilates the Jacobian. *)

From Coq Require Import BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper Upper Separation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)

Record flattening := Flattening {
  sides : seq side;
  left_weights : seq (seq (seq N));   (* for each row of the matrix *)
  right_weights : seq (seq (seq N));  (* for each column *)
  middle_weights : seq (seq N);
  pivot_rows : seq nat; pivot_columns : seq nat;
  pivot_inverse : seq (seq N);        (* column by column *)
  pairs : seq (nat * nat)             (* a row and a column, which stand for vectors of the kernels *)
}.

Record equations := Equations {
  equations_modulus : N; equations_bits : nat; equations_point : seq N;
  sums : seq (seq (seq N));           (* of cells, which are 1 *)
  flattenings : seq flattening;
  chosen_cells : seq nat; chosen_inverse : seq (seq N)
}.

Fixpoint cell_weight_bin (b : seq bool) (w : seq (seq N)) (o : seq nat) : N :=
  match b with
  | [::] => 1%num
  | true :: b' => (nth 1 (head [::] w) (head 0%N o) * cell_weight_bin b' (behead w) (behead o))%num
  | false :: b' => cell_weight_bin b' (behead w) o
  end.

Section Compute.
Variables (m : N) (red : N -> N) (net : network).

Definition total (s : seq N) : N := foldr N.add N0 s.
Definition minus (x : N) : N := red (x * (m - 1)).
Definition column_of (rows : seq (seq N)) (j : nat) : seq N := [seq nth N0 row j | row <- rows].

(* The entry i of the vector of the kernel that has 1 at the place a, and otherwise numbers at the pivots:
   [coefficients] are the numbers for these. *)
Definition kernel_entry (a : nat) (pivots : seq nat) (coefficients : seq N) (i : nat) : N :=
  red ((if i == a then 1%num else N0) +
    minus (total [seq (if nth 0%N pivots t == i then nth N0 coefficients t else N0) | t <- iota 0 (size pivots)])).

Definition matrix_values (tables : seq (seq (seq jet))) (f : flattening) : seq (seq N) :=
  [seq [seq (contracted red net tables (combined net (sides f) l r (middle_weights f))).1 | r <- right_weights f] | l <- left_weights f].

(* The number of the form for a pair at each cell. *)
Definition form_of (f : flattening) (values : seq (seq N)) (p : nat * nat) : seq N :=
  let r1 := size (left_weights f) in let r2 := size (right_weights f) in
  let k := size (pivot_rows f) in
  let inverse_rows := [seq column_of (pivot_inverse f) t | t <- iota 0 k] in
  (* row p.1 at the pivot columns, times the inverse; the inverse times column p.2 at the pivot rows *)
  let left := [seq red (dot [seq nth N0 (nth [::] values p.1) j | j <- pivot_columns f] c) | c <- pivot_inverse f] in
  let right := [seq red (dot row [seq nth N0 (nth [::] values i) p.2 | i <- pivot_rows f]) | row <- inverse_rows] in
  let ls := [seq kernel_entry p.1 (pivot_rows f) left i | i <- iota 0 r1] in
  let rs := [seq kernel_entry p.2 (pivot_columns f) right j | j <- iota 0 r2] in
  [seq total [seq (let l := nth N0 ls i in if N.eqb l 0 then N0 else
      red (l * total [seq (let r := nth N0 rs j in if N.eqb r 0 then N0 else
        red (r * cell_weight_bin (seen net)
          (combined net (sides f) (nth [::] (left_weights f) i) (nth [::] (right_weights f) j) (middle_weights f)) o)) | j <- iota 0 r2])) | i <- iota 0 r1] | o <- cells net].

Definition check_flattening (values : seq (seq N)) (f : flattening) : bool :=
  let k := size (choices net (sides f) (middle_weights f) (iota 0 (size (variables net)))) in
  [&& separates net (sides f),
    all (unweighted net) (left_weights f), all (unweighted net) (right_weights f), unweighted net (middle_weights f),
    all (fun i => i < size (left_weights f))%N (pivot_rows f), all (fun j => j < size (right_weights f))%N (pivot_columns f),
    (size (pivot_rows f) == k) && (size (pivot_columns f) == k),
    inverse_of red k [seq [seq nth N0 (nth [::] values i) j | j <- pivot_columns f] | i <- pivot_rows f] (pivot_inverse f) &
    all (fun p => (p.1 < size (left_weights f)) && (p.2 < size (right_weights f)))%N (pairs f)].

End Compute.

Definition sum_row (net : network) (w : seq (seq N)) : seq N := [seq cell_weight_bin (seen net) w o | o <- cells net].

Definition check_equations (net : network) (c : equations) : bool :=
  let m := equations_modulus c in
  let red := red_of m (equations_bits c) in
  let tables := jets_of_tables m red net (equations_point c) in
  let known := [seq (f, matrix_values red net tables f) | f <- flattenings c] in
  let rows := [seq sum_row net w | w <- sums c] ++ flatten [seq [seq form_of m red net f.1 f.2 p | p <- pairs f.1] | f <- known] in
  [&& N.ltb 1 m, parents_known net, all_defined m red net, all (conditioning net) (sums c),
    all (fun f => check_flattening red net f.2 f.1) known,
    all (fun j => j < size (cells net))%N (chosen_cells c) &
    inverse_of red (size (chosen_cells c)) [seq [seq nth N0 row j | j <- chosen_cells c] | row <- rows] (chosen_inverse c)].

(* What is computed is right ---------------------------------------------------------------------------------------- *)

(* The inverse of a matrix that is related to one with an inverse. *)
Lemma related_inverse (K : fieldType) (R : comUnitRingType) (S : K -> R -> Prop) : is_place S ->
  forall r (A : 'M[K]_r) (B X : 'M[R]_r), related S A B -> B *m X = 1%:M -> A \in unitmx /\ related S (invmx A) X.
Proof.
move=> HS r A B X h e; have [uB _] := mulmx1_unit e.
have uA : A \in unitmx.
  by rewrite unitmxE unitfE; apply: (morphic_neq0 HS) (related_det HS h) _; rewrite -unitmxE.
split=> // i j; have -> : X = invmx B by rewrite -[X](mulKmx uB) e mulmx1.
have sc (T : ringType) (c : T) (C : 'M[T]_r) : (c *: C) i j = c * C i j by rewrite mxE.
rewrite /invmx uA uB !sc; apply: (morphicM HS); last exact: (related_adj HS h).
by apply: (placeV HS); [apply: (related_det HS) | rewrite -unitmxE].
Qed.

Section Conormal.
Variables (K : fieldType) (r1 r2 k : nat) (A : 'M[K]_(r1, k)) (B : 'M[K]_(k, r2)).
Variables (f : 'I_k -> 'I_r1) (g : 'I_k -> 'I_r2).
Let M := A *m B.
Hypothesis unit_minor : mxsub f g M \in unitmx.
Let Y := invmx (mxsub f g M).

Definition left_kernel : 'M[K]_r1 := 1%:M - colsub g M *m Y *m rowsub f 1%:M.
Definition right_kernel : 'M[K]_r2 := 1%:M - colsub g 1%:M *m Y *m rowsub f M.

Lemma minor_product : mxsub f g M = rowsub f A *m colsub g B.
Proof. by rewrite /M -mxsub_mul. Qed.

Lemma colsub_product : colsub g M = A *m colsub g B.
Proof. by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => t _; rewrite mxE. Qed.

Lemma rowsub_product : rowsub f M = rowsub f A *m B.
Proof. by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => t _; rewrite mxE. Qed.

Lemma factors_unit : rowsub f A \in unitmx /\ colsub g B \in unitmx.
Proof. by move: unit_minor; rewrite minor_product unitmx_mul => /andP []. Qed.

Lemma left_kernelP : left_kernel *m A = 0.
Proof.
have [uA uB] := factors_unit.
rewrite mulmxBl mul1mx /Y minor_product colsub_product.
have -> : rowsub f A = rowsub f 1%:M *m A by rewrite -rowsubE.
have u : rowsub f 1%:M *m A *m colsub g B \in unitmx by rewrite -rowsubE -minor_product.
set E := rowsub f 1%:M in u *; set C := colsub g B in u uB *.
have uE : E *m A \in unitmx by rewrite -rowsubE.
have -> : A *m C *m invmx (E *m A *m C) *m E *m A = A *m (C *m invmx (E *m A *m C) *m (E *m A)) by rewrite !mulmxA.
suff -> : C *m invmx (E *m A *m C) *m (E *m A) = 1%:M by rewrite mulmx1 subrr.
set D := E *m A in uE u *.
by apply: (can_inj (mulKmx uE)); rewrite mulmx1 !mulmxA mulmxV ?mul1mx.
Qed.

Lemma right_kernelP : B *m right_kernel = 0.
Proof.
have [uA uB] := factors_unit.
rewrite mulmxBr mulmx1 /Y minor_product rowsub_product.
have e : B *m colsub g 1%:M = colsub g B.
  by apply/matrixP => i j; rewrite !mxE (bigD1 (g j)) //= big1 ?addr0 ?mxE ?eqxx ?mulr1 // => t ht; rewrite !mxE (negbTE ht) mulr0.
have u : rowsub f A *m colsub g B \in unitmx by rewrite -minor_product.
rewrite !mulmxA e; set C := colsub g B in uB u *; set D := rowsub f A in uA u *.
suff -> : C *m invmx (D *m C) *m D = 1%:M by rewrite mul1mx subrr.
apply: (can_inj (mulKmx uA)); rewrite mulmx1 !mulmxA.
by rewrite mulmxV ?mul1mx.
Qed.

(* The form of a pair kills every derivative of the product. *)
Lemma conormal (dA : 'M[K]_(r1, k)) (dB : 'M[K]_(k, r2)) : left_kernel *m (dA *m B + A *m dB) *m right_kernel = 0.
Proof.
by rewrite mulmxDr mulmxDl -!mulmxA right_kernelP !mulmx0 add0r !mulmxA left_kernelP !mul0mx.
Qed.

End Conormal.

Section Sound.
Variables (m : N) (red : N -> N) (net : network) (point : seq N).
Hypothesis m_gt1 : N.ltb 1 m.
Hypothesis red_val : forall x, val_of m (red x) = val_of m x.
Hypothesis hp : proper_variables net.
Hypothesis defined_ok : all_defined m red net.
Hypothesis parents_ok : parents_known net.
Let n := parameters net.
Let tofrac := [rmorphism of @FracField.tofrac [idomainType of {mpoly rat[n]}]].
Let K := [fieldType of {fraction {mpoly rat[n]}}].
Let J : 'M[K]_(size (cells net), n) := map_mx tofrac (jacobian net).
Let S := @at_point n (nat_of_bin m) (@point_of n point).
Let HS : is_place S := at_pointP _ _.
Let tables := jets_of_tables m red net point.

(* Numbers modulo m that stand for a row that annihilates the Jacobian. *)
Definition good_row (row : seq N) : Prop :=
  exists W : 'rV[K]_(size (cells net)), W *m J = 0 /\ forall o, S (W 0 o) (val_of m (nth N0 row o)).

Lemma cell_weight_binP b w o : nat_of_bin (cell_weight_bin b w o) = cell_weight b w o.
Proof. by elim: b w o => //= -[] b IH w o; rewrite ?nat_of_mul_bin IH. Qed.

Lemma good_sum w : conditioning net w -> good_row (sum_row net w).
Proof.
move=> hw; exists (\row_o (cell_weight (seen net) w (nth [::] (cells net) o))%:R); split.
  by apply: (@constant_functional net w 1); apply: functional_conditioning.
move=> o; rewrite mxE /sum_row (nth_map [::]) // /val_of cell_weight_binP; exact: (morphic_nat HS).
Qed.

(* Rows that are good, with a minor that is a unit, bound the dimension. *)
Theorem good_rows rows cs : (forall row, List.In row rows -> good_row row) -> all (fun j => j < size (cells net))%N cs ->
  (exists X, inverse_of red (size cs) [seq [seq nth N0 row j | j <- cs] | row <- rows] X) ->
  (size cs + dimension net <= size (cells net))%N.
Proof.
move=> hrows hcs [X hX]; set r := size cs.
have sr : size rows = r by apply/eqP; move: hX => /and5P [e _ _ _ _]; move: e; rewrite size_map.
have hgood (i : 'I_r) : good_row (nth [::] rows i).
  apply: hrows; have : (i < size rows)%N by rewrite sr.
  elim: (rows) (nat_of_ord i) => //= row s IH [|j] hj; [by left | right; exact: IH].
rewrite /good_row in hgood; have [W hW] := fin_all_exists hgood.
pose V : 'M[K]_(r, size (cells net)) := \matrix_i W i.
have hV : V *m J = 0 by apply/row_matrixP => i; rewrite row_mul rowK (proj1 (hW i)) row0.
apply: leq_trans (annihilators hV); rewrite leq_add2r.
have g_ok (j : 'I_r) : (nth 0%N cs j < size (cells net))%N by have /(all_nthP 0%N) := hcs; apply.
pose g j := Ordinal (g_ok j).
apply: (rank_minor HS (f := id) (g := g) _ (inverse_ofP red_val hX)).
move=> i j; rewrite [mxsub _ _ _ i j]mxE [matrix_of _ _ _ i j]mxE [V _ _]mxE.
rewrite (nth_map [::]) ?sr // (nth_map 0%N) //.
exact: (proj2 (hW i)).
Qed.

Section Flattening.
Variable f : flattening.
Let k := size (variables net).
Let r1 := size (left_weights f).
Let r2 := size (right_weights f).
Let values := matrix_values red net tables f.
Let cs := choices net (sides f) (middle_weights f) (iota 0 k).
Let d := size cs.
Hypothesis hf : check_flattening red net values f.

Let wl i := nth [::] (left_weights f) i.
Let wr j := nth [::] (right_weights f) j.
Let w i j := combined net (sides f) (wl i) (wr j) (middle_weights f).

Lemma w_unweighted i j : (i < r1)%N -> (j < r2)%N -> unweighted net (w i j).
Proof.
move=> hi hj; move: hf; rewrite /check_flattening => /and5P [_ /(all_nthP [::]) /(_ i hi) /allP h1 /(all_nthP [::]) /(_ j hj) /allP h2 /allP h3 _].
apply/allP => v hv; apply/implyP => hh; rewrite /w /combined (nth_map 0%N) ?size_iota; last by rewrite mem_iota in hv.
rewrite nth_iota; last by rewrite mem_iota in hv.
rewrite add0n; case: (side_of _ v) => //.
- by have := h1 v hv; rewrite hh.
- by have := h2 v hv; rewrite hh.
by have := h3 v hv; rewrite hh.
Qed.

Let P : 'M[{mpoly rat[n]}]_(r1, r2) := \matrix_(i, j) functional net (w i j).
Let A : 'M[{mpoly rat[n]}]_(r1, d) :=
  \matrix_(i, c) part net (sides f) true (combined net (sides f) (wl i) [::] (middle_weights f)) (iota 0 k) (nth [::] cs c) [::].
Let B : 'M[{mpoly rat[n]}]_(d, r2) :=
  \matrix_(c, j) part net (sides f) false (combined net (sides f) [::] (wr j) (middle_weights f)) (iota 0 k) (nth [::] cs c) [::].

Lemma product_AB : P = A *m B.
Proof.
have hs : separates net (sides f) by move: hf => /and5P [].
apply/matrixP => i j; rewrite !mxE -(functionalP (w_unweighted (ltn_ord i) (ltn_ord j))) (bounded_rank hp hs).
by rewrite (big_nth [::]) big_mkord; apply: eq_bigr => c _; rewrite !mxE.
Qed.

Let hs_sizes : size (pivot_rows f) = d /\ size (pivot_columns f) = d.
Proof. by move: hf => /and5P [_ _ _ _ /and5P [_ _ /andP [/eqP h1 /eqP h2] _ _]]. Qed.

Lemma pivot_row_ok (t : 'I_d) : (nth 0%N (pivot_rows f) t < r1)%N.
Proof.
have [e _] := hs_sizes; move: hf => /and5P [_ _ _ _ /and5P [/(all_nthP 0%N) h _ _ _ _]].
by apply: h; rewrite e.
Qed.

Lemma pivot_column_ok (t : 'I_d) : (nth 0%N (pivot_columns f) t < r2)%N.
Proof.
have [_ e] := hs_sizes; move: hf => /and5P [_ _ _ _ /and5P [_ /(all_nthP 0%N) h _ _ _]].
by apply: h; rewrite e.
Qed.

Let pr t := Ordinal (pivot_row_ok t).
Let pc t := Ordinal (pivot_column_ok t).
Let MK : 'M[K]_(r1, r2) := map_mx tofrac A *m map_mx tofrac B.
Let value (i j : nat) := val_of m (nth N0 (nth [::] values i) j).

Lemma MK_functional i j : MK i j = tofrac (functional net (w i j)).
Proof. by rewrite /MK -map_mxM -product_AB !mxE. Qed.

Lemma MK_value i j : S (MK i j) (value i j).
Proof.
rewrite MK_functional; apply: at_point_poly.
rewrite /value /values /matrix_values (nth_map [::]) // (nth_map [::]) //.
rewrite -(functionalP (w_unweighted (ltn_ord i) (ltn_ord j))).
by have [] := @contractedP m red net point m_gt1 red_val defined_ok parents_ok (w i j).
Qed.

Let X : 'M['Z_(nat_of_bin m)]_d := (matrix_of m d (pivot_inverse f))^T.

Lemma pivots_inverse : mxsub pr pc MK \in unitmx /\ related S (invmx (mxsub pr pc MK)) X.
Proof.
have [e1 e2] := hs_sizes.
have h : inverse_of red d [seq [seq nth N0 (nth [::] values i) j | j <- pivot_columns f] | i <- pivot_rows f] (pivot_inverse f).
  by move: hf => /and5P [_ _ _ _ /and5P [_ _ _ h _]].
apply: (related_inverse HS _ (inverse_ofP red_val h)) => i j.
rewrite [mxsub _ _ _ i j]mxE [matrix_of _ _ _ i j]mxE (nth_map 0%N) ?e1 // (nth_map 0%N) ?e2 //.
exact: MK_value.
Qed.

Lemma val_total s : val_of m (total s) = \sum_(x <- s) val_of m x.
Proof. by elim: s => [|x s IH]; rewrite ?big_nil // big_cons -IH -val_add. Qed.

Lemma val_kernel_entry a pivots coefficients i : val_of m (kernel_entry m red a pivots coefficients i) =
  (i == a)%:R - \sum_(t < size pivots) (nth 0%N pivots t == i)%:R * val_of m (nth N0 coefficients t).
Proof.
rewrite /kernel_entry red_val val_add /minus red_val val_mul val_pred // mulrN1; congr (_ - _); first by case: eqP.
rewrite val_total big_map -[X in iota 0 X]subn0 big_mkord; apply: eq_bigr => t _.
by case: eqP; rewrite ?mul1r ?mul0r.
Qed.

Lemma left_kernel_value a i (left : seq N) : (forall t : 'I_d, S ((colsub pc MK *m invmx (mxsub pr pc MK)) a t) (val_of m (nth N0 left t))) ->
  S (left_kernel (map_mx tofrac A) (map_mx tofrac B) pr pc a i) (val_of m (kernel_entry m red a (pivot_rows f) left i)).
Proof.
move=> h; have [e _] := hs_sizes; rewrite val_kernel_entry /left_kernel [X in S X]mxE [X in S (X + _)]mxE [X in S (_ + X)]mxE.
rewrite eq_sym; apply: (morphicB HS); first exact: (morphic_nat HS).
rewrite [X in S X]mxE e; apply: (morphic_sum HS) => t _; rewrite mulrC; apply: (morphicM HS); last exact: h.
by rewrite !mxE; apply: (morphic_nat HS).
Qed.

Lemma right_kernel_value b j (right : seq N) : (forall t : 'I_d, S ((invmx (mxsub pr pc MK) *m rowsub pr MK) t b) (val_of m (nth N0 right t))) ->
  S (right_kernel (map_mx tofrac A) (map_mx tofrac B) pr pc j b) (val_of m (kernel_entry m red b (pivot_columns f) right j)).
Proof.
move=> h; have [_ e] := hs_sizes; rewrite val_kernel_entry /right_kernel [X in S X]mxE [X in S (X + _)]mxE [X in S (_ + X)]mxE.
apply: (morphicB HS); first exact: (morphic_nat HS).
rewrite -mulmxA [X in S X]mxE e; apply: (morphic_sum HS) => t _; apply: (morphicM HS); last exact: h.
by rewrite !mxE eq_sym; apply: (morphic_nat HS).
Qed.

Lemma functional_derivative v q : \sum_(o < size (cells net)) (cell_weight (seen net) v (nth [::] (cells net) o))%:R * J o q = tofrac (functional net v)^`M(q).
Proof.
rewrite /functional (raddf_sum (mderiv_additive rat_Ring q)) rmorph_sum; apply: eq_bigr => o _ /=.
by rewrite !mxE -mpolyC_nat mderiv_mulC rmorphM /= mpolyC_nat rmorph_nat.
Qed.

Let dP q : 'M[K]_(r1, r2) := \matrix_(i, j) tofrac (functional net (w i j))^`M(q).

Lemma dP_product q : dP q = map_mx tofrac (map_mx (mderiv q) A) *m map_mx tofrac B + map_mx tofrac A *m map_mx tofrac (map_mx (mderiv q) B).
Proof.
apply/matrixP => i j; rewrite !mxE.
have -> : functional net (w i j) = \sum_c A i c * B c j by have := product_AB => /matrixP /(_ i j); rewrite !mxE.
rewrite (raddf_sum (mderiv_additive rat_Ring q)) rmorph_sum -big_split; apply: eq_bigr => c _ /=.
by rewrite mderivM rmorphD !rmorphM !mxE.
Qed.

Lemma good_form p : (p.1 < r1)%N -> (p.2 < r2)%N -> good_row (form_of m red net f values p).
Proof.
move=> h1 h2; pose a := Ordinal h1; pose b := Ordinal h2; have [e1 e2] := hs_sizes.
have [uM hY] := pivots_inverse.
pose L := left_kernel (map_mx tofrac A) (map_mx tofrac B) pr pc.
pose R := right_kernel (map_mx tofrac A) (map_mx tofrac B) pr pc.
pose F (o : 'I_(size (cells net))) : K := \sum_i \sum_j L a i * (R j b * (cell_weight (seen net) (w i j) (nth [::] (cells net) o))%:R).
exists (\row_o F o); split.
  apply/rowP => q; rewrite [RHS]mxE.
  have <- : (L *m dP q *m R) a b = 0 by rewrite dP_product conormal // mxE.
  transitivity (\sum_i \sum_j L a i * (R j b * dP q i j)); last first.
    rewrite -mulmxA mxE; apply: eq_bigr => i _; rewrite [(_ *m R) i b]mxE mulr_sumr; apply: eq_bigr => j _.
    by rewrite [_ * R j b]mulrC.
  rewrite mxE; transitivity (\sum_o F o * J o q); first by apply: eq_bigr => o _; rewrite [(\row__ _) _ _]mxE.
  under eq_bigr do rewrite /F mulr_suml.
  rewrite exchange_big; apply: eq_bigr => i _ /=; under eq_bigr do rewrite mulr_suml.
  rewrite exchange_big; apply: eq_bigr => j _ /=; rewrite [dP q i j]mxE -functional_derivative !mulr_sumr.
  by apply: eq_bigr => o _; rewrite !mulrA.
move=> o; rewrite mxE /F /form_of (nth_map [::]) // val_total big_map -[X in iota 0 X]subn0 big_mkord -/r1.
set left := [seq red (dot _ _) | _ <- _]; set right := [seq red (dot _ _) | _ <- _].
have hl i : S (L a i) (val_of m (kernel_entry m red p.1 (pivot_rows f) left i)).
  apply: left_kernel_value => t; rewrite mxE.
  have st : (t < size (pivot_inverse f))%N by move: hf => /and5P [_ _ _ _ /and5P [_ _ _ /and5P [_ /eqP -> _ _ _] _]].
  have sd : size (nth [::] (pivot_inverse f) t) = d.
    by move: hf => /and5P [_ _ _ _ /and5P [_ _ _ /and5P [_ _ _ /(all_nthP [::]) /(_ t st) /eqP -> _] _]].
  rewrite (nth_map [::]) // red_val (@val_dot m d) ?size_map //.
  apply: (morphic_sum HS) => j _; rewrite (nth_map 0%N) ?e2 //.
  apply: (morphicM HS); first by rewrite mxE; apply: (MK_value a).
  by have := hY j t; rewrite [X j t]mxE [matrix_of _ _ _ t j]mxE.
have hr j : S (R j b) (val_of m (kernel_entry m red p.2 (pivot_columns f) right j)).
  apply: right_kernel_value => t; rewrite mxE.
  have st : size (pivot_inverse f) = d by move: hf => /and5P [_ _ _ _ /and5P [_ _ _ /and5P [_ /eqP -> _ _ _] _]].
  rewrite /right -map_comp (nth_map 0%N) ?size_iota ?e1 // nth_iota ?e1 // add0n /= red_val (@val_dot m d) ?size_map //.
  apply: (morphic_sum HS) => i _; rewrite /column_of (nth_map [::]) ?st // (nth_map 0%N) ?e1 //.
  apply: (morphicM HS); last by rewrite mxE; apply: (MK_value _ b).
  by have := hY t i; rewrite [X t i]mxE [matrix_of _ _ _ i t]mxE.
have nz x y : val_of m (if N.eqb x 0 then N0 else red (x * y)) = val_of m x * val_of m y.
  by case: N.eqb_spec => [->|_]; rewrite ?mul0r // red_val val_mul.
set ls := [seq kernel_entry m red p.1 _ _ _ | _ <- _]; set rs := [seq kernel_entry m red p.2 _ _ _ | _ <- _].
have hl' i : S (L a i) (val_of m (nth N0 ls i)).
  by rewrite /ls ?subn0 (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: hl.
have hr' j : S (R j b) (val_of m (nth N0 rs j)).
  by rewrite /rs ?subn0 (nth_map 0%N) ?size_iota // nth_iota // add0n; apply: hr.
apply: (morphic_sum HS) => i _; rewrite nz -mulr_sumr; apply: (morphicM HS); first exact: hl'.
rewrite val_total big_map -[X in iota 0 X]subn0 big_mkord -/r2; apply: (morphic_sum HS) => j _.
rewrite nz; apply: (morphicM HS); first exact: hr'.
by rewrite /val_of cell_weight_binP; apply: (morphic_nat HS).
Qed.

End Flattening.
End Sound.

Theorem check_equationsP net c : proper_variables net -> check_equations net c ->
  (size (chosen_cells c) + dimension net <= size (cells net))%N.
Proof.
rewrite /check_equations; set m := equations_modulus c; set red := red_of _ _; set tables := jets_of_tables _ _ _ _.
set known := [seq _ | f <- flattenings c]; set rows := _ ++ _.
move=> hp /and5P [m_gt1 parents_ok defined_ok sums_ok /and3P [known_ok cells_ok h]].
have red_val x : val_of m (red x) = val_of m x by exact: val_red.
apply: (@good_rows m red net (equations_point c) red_val rows (chosen_cells c)) => //; last by exists (chosen_inverse c).
move=> row; rewrite /rows List.in_app_iff => -[].
  elim: (sums c) sums_ok => //= w ws IH /andP [hw hws] [<-|]; [exact: good_sum | exact: IH].
rewrite /known in known_ok *; elim: (flattenings c) known_ok => //= f fs IH /andP [hf hfs].
rewrite List.in_app_iff => -[|]; last exact: IH.
have hpairs : all (fun p => (p.1 < size (left_weights f)) && (p.2 < size (right_weights f)))%N (pairs f).
  by move: (hf) => /and5P [_ _ _ _ /and5P [_ _ _ _ h']].
elim: (pairs f) hpairs => //= p ps IHp /andP [/andP [h1 h2] hps] [<-|]; last exact: IHp.
exact: (good_form m_gt1 red_val hp defined_ok parents_ok hf).
Qed.

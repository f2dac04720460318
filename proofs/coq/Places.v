(* Places: ways to pass from a field to residues that keep sums, products and inverses where they are defined.

   A place from a field K to a ring R relates some elements of K to elements of R. Rational numbers whose denominators
   are prime to m are related to their residues modulo m; rational functions that are defined at a point, to their values
   there. What is a unit in R is not zero in K: so a minor that is a unit in R shows a rank over K. *)

From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* A relation from a ring to another one that keeps sums and products, and relates only what is not zero to units. *)
Record morphic (D : ringType) (R : comUnitRingType) (S : D -> R -> Prop) : Prop := Morphic {
  morphic1 : S 1 1;
  morphicB : forall x y a b, S x a -> S y b -> S (x - y) (a - b);
  morphicM : forall x y a b, S x a -> S y b -> S (x * y) (a * b);
  morphic_neq0 : forall x a, S x a -> a \is a GRing.unit -> x != 0 }.

Record is_place (K : fieldType) (R : comUnitRingType) (S : K -> R -> Prop) : Prop := Place {
  place_morphic :> morphic S;
  placeV : forall x a, S x a -> a \is a GRing.unit -> S x^-1 a^-1 }.

Section Morphic.
Variables (D : ringType) (R : comUnitRingType) (S : D -> R -> Prop).
Hypothesis HS : morphic S.

Lemma morphic0 : S 0 0.
Proof. by rewrite -(subrr 1) -[X in S _ X](subrr 1); apply: morphicB => //; apply: morphic1. Qed.

Lemma morphicN x a : S x a -> S (- x) (- a).
Proof. by move=> h; rewrite -(sub0r x) -(sub0r a); apply: morphicB => //; apply: morphic0. Qed.

Lemma morphicD x y a b : S x a -> S y b -> S (x + y) (a + b).
Proof. by move=> hx hy; rewrite -(opprK y) -(opprK b); apply: (morphicB HS) => //; apply: morphicN. Qed.

Lemma morphic_sum (I : Type) (r : seq I) (P : pred I) F G :
  (forall i, P i -> S (F i) (G i)) -> S (\sum_(i <- r | P i) F i) (\sum_(i <- r | P i) G i).
Proof. by move=> h; elim/big_rec2: _ => [|i y x Pi hxy]; [apply: morphic0 | apply: morphicD => //; apply: h]. Qed.

Lemma morphic_prod (I : Type) (r : seq I) (P : pred I) F G :
  (forall i, P i -> S (F i) (G i)) -> S (\prod_(i <- r | P i) F i) (\prod_(i <- r | P i) G i).
Proof.
move=> h; elim/big_rec2: _ => [|i y x Pi hxy]; first exact: (morphic1 HS).
by apply: (morphicM HS) => //; apply: h.
Qed.

Lemma morphic_nat k : S k%:R k%:R.
Proof. by elim: k => [|k IH]; [apply: morphic0 | rewrite !mulrS; apply: morphicD => //; apply: (morphic1 HS)]. Qed.

Lemma morphic_int k : S k%:~R k%:~R.
Proof. by case: (intP k) => [|j|j]; rewrite ?NegzE ?rmorphN /= ?rmorph0; [exact: morphic0|exact: morphic_nat|apply: morphicN; exact: morphic_nat]. Qed.

Lemma morphic_sign k : S ((-1) ^+ k) ((-1) ^+ k).
Proof.
elim: k => [|k IH]; rewrite ?expr0 ?exprS; first exact: (morphic1 HS).
by apply: (morphicM HS) => //; apply: morphicN; apply: (morphic1 HS).
Qed.

End Morphic.

Section MorphicMatrices.
Variables (D : comRingType) (R : comUnitRingType) (S : D -> R -> Prop).
Hypothesis HS : morphic S.

Definition related m n (A : 'M[D]_(m, n)) (B : 'M[R]_(m, n)) := forall i j, S (A i j) (B i j).

Lemma related_det n (A : 'M[D]_n) B : related A B -> S (\det A) (\det B).
Proof.
move=> h; apply: (morphic_sum HS) => s _; apply: (morphicM HS); first exact: (morphic_sign HS).
by apply: (morphic_prod HS) => i _; apply: h.
Qed.

Lemma related_mul m n p (A : 'M[D]_(m, n)) (A' : 'M[D]_(n, p)) B B' :
  related A B -> related A' B' -> related (A *m A') (B *m B').
Proof. by move=> h h' i j; rewrite !mxE; apply: (morphic_sum HS) => k _; apply: (morphicM HS). Qed.

Lemma related_adj n (A : 'M[D]_n) B : related A B -> related (\adj A) (\adj B).
Proof.
move=> h i j; rewrite !mxE /cofactor; apply: (morphicM HS); first exact: (morphic_sign HS).
by apply: related_det => k l; rewrite !mxE.
Qed.

End MorphicMatrices.

(* The rank is at least that of a minor of residues that is a unit; an inverse matrix shows it. *)
Section Rank.
Variables (K : fieldType) (R : comUnitRingType) (S : K -> R -> Prop).
Hypothesis HS : morphic S.

Lemma mxrank_mxsub m n r s (f : 'I_r -> 'I_m) (g : 'I_s -> 'I_n) (A : 'M[K]_(m, n)) :
  (\rank (mxsub f g A) <= \rank A)%N.
Proof.
rewrite mxsubrc rowsubE; apply: leq_trans (mxrankM_maxr _ _) _.
by rewrite -mxrank_tr trmx_mxsub rowsubE -[\rank A]mxrank_tr mxrankM_maxr.
Qed.

Lemma rank_unit r (A : 'M[K]_r) (B : 'M[R]_r) : related S A B -> B \in unitmx -> \rank A = r.
Proof.
move=> h uB; apply: mxrank_unit; rewrite unitmxE unitfE.
by apply: (morphic_neq0 HS) (related_det HS h) _; rewrite -unitmxE.
Qed.

Lemma rank_minor m n r (f : 'I_r -> 'I_m) (g : 'I_r -> 'I_n) (A : 'M[K]_(m, n)) (B X : 'M[R]_r) :
  related S (mxsub f g A) B -> B *m X = 1%:M -> (r <= \rank A)%N.
Proof.
move=> h /mulmx1_unit [uB _].
by apply: leq_trans (mxrank_mxsub f g A); rewrite (rank_unit h uB).
Qed.

End Rank.

(* Fractions u/v of elements of a ring D inside a field K, by way of a relation on D. *)
Section Fractions.
Variables (D : comRingType) (K : fieldType) (R : comUnitRingType) (T : D -> R -> Prop) (emb : {rmorphism D -> K}).
Hypothesis HT : morphic T.
Hypothesis emb_inj : injective emb.

Definition fraction_place (x : K) (a : R) : Prop :=
  exists u v b c, [/\ T u b, T v c, c \is a GRing.unit, x * emb v = emb u & a * c = b].

Lemma fraction_place_emb u b : T u b -> fraction_place (emb u) b.
Proof.
by move=> h; exists u, 1, b, 1; rewrite rmorph1 !mulr1; split=> //; [apply: (morphic1 HT) | apply: unitr1].
Qed.

Let emb_neq0 v c : T v c -> c \is a GRing.unit -> emb v != 0.
Proof. by move=> h hc; rewrite -(rmorph0 emb) (inj_eq emb_inj); apply: (morphic_neq0 HT) h hc. Qed.

Lemma fraction_placeP : is_place fraction_place.
Proof.
have neq0 x a : fraction_place x a -> a \is a GRing.unit -> x != 0.
  move=> [u [v [b [c [hu hv uc ex ea]]]]] ua.
  have ub : b \is a GRing.unit by rewrite -ea unitrMr.
  have := emb_neq0 hu ub; rewrite -ex; apply: contraNneq => ->; by rewrite mul0r.
split; first split.
- by rewrite -(rmorph1 emb); apply: fraction_place_emb; apply: (morphic1 HT).
- move=> x y a a' [u [v [b [c [hu hv uc ex ea]]]]] [u' [v' [b' [c' [hu' hv' uc' ex' ea']]]]].
  exists (u * v' - u' * v), (v * v'), (b * c' - b' * c), (c * c'); split.
  + by apply: (morphicB HT); apply: (morphicM HT).
  + exact: (morphicM HT).
  + by rewrite unitrMr.
  + by rewrite rmorphB !rmorphM /= -ex -ex' mulrBl mulrA [emb v * _]mulrC mulrA.
  + by rewrite mulrBl -ea -ea' mulrA; congr (_ - _); rewrite -!mulrA (mulrC c c').
- move=> x y a a' [u [v [b [c [hu hv uc ex ea]]]]] [u' [v' [b' [c' [hu' hv' uc' ex' ea']]]]].
  exists (u * u'), (v * v'), (b * b'), (c * c'); split.
  + exact: (morphicM HT).
  + exact: (morphicM HT).
  + by rewrite unitrMr.
  + by rewrite !rmorphM /= mulrACA ex ex'.
  + by rewrite mulrACA ea ea'.
- exact: neq0.
move=> x a h ua; have hx := neq0 _ _ h ua.
move: h => [u [v [b [c [hu hv uc ex ea]]]]].
exists v, u, c, b; split=> //; first by rewrite -ea unitrMr.
  by rewrite -ex mulrA mulVf // mul1r.
by rewrite -ea mulrA mulVr // mul1r.
Qed.

End Fractions.

(* Rational numbers modulo m. *)
Section Residues.
Variable m : nat.

Definition int_residue (u : int) (b : 'Z_m) : Prop := b = u%:~R.

Lemma int_residueP : morphic int_residue.
Proof.
split=> [|x y a b -> ->|x y a b -> ->|x a ->]; rewrite /int_residue ?rmorphB ?rmorphM //=.
by apply: contraTneq => ->; rewrite unitr0.
Qed.

Definition residue : rat -> 'Z_m -> Prop := fraction_place int_residue [rmorphism of (intr : int -> rat)].

Lemma residueP : is_place residue.
Proof. by apply: fraction_placeP => //; [exact: int_residueP | exact: intr_inj]. Qed.

End Residues.

(* Rational functions at a point, and then modulo m. *)
Section Point.
Variables (n m : nat) (point : 'I_n -> rat).

Definition value_residue (f : {mpoly rat[n]}) (b : 'Z_m) : Prop := residue f.@[point] b.

Lemma value_residueP : morphic value_residue.
Proof.
have HS := residueP m; rewrite /value_residue.
split=> [|x y a b|x y a b|x a h ua].
- by rewrite meval1; apply: (morphic1 HS).
- by rewrite mevalB; apply: (morphicB HS).
- by rewrite mevalM; apply: (morphicM HS).
by have := morphic_neq0 HS h ua; apply: contraNneq => ->; rewrite meval0.
Qed.

Definition at_point : {fraction {mpoly rat[n]}} -> 'Z_m -> Prop :=
  fraction_place value_residue [rmorphism of @FracField.tofrac _].

Lemma at_pointP : is_place at_point.
Proof.
apply: fraction_placeP; first exact: value_residueP.
by move=> x y /eqP; rewrite tofrac_eq => /eqP.
Qed.

Lemma at_point_poly f b : value_residue f b -> at_point (FracField.tofrac f) b.
Proof. by move=> h; exact: (fraction_place_emb [rmorphism of @FracField.tofrac _] value_residueP h). Qed.

End Point.

(* Numbers modulo m, as binary numbers with which Coq computes, and jets: a value and its derivatives by parameters. *)

From Coq Require Import BinPos BinNat Lia.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* Computing -------------------------------------------------------------------------------------------------------- *)

(* The remainder modulo m, by subtracting multiples of m, the greatest first. *)
Definition subtract_once (x q : N) : N :=
  match x, q with
  | Npos a, Npos b => match Pos.sub_mask a b with IsNul => N0 | IsPos r => Npos r | IsNeg => x end
  | _, _ => x
  end.
Definition reduce (multiples : seq N) (x : N) : N := foldl subtract_once x multiples.
Fixpoint multiples_of (m : N) (k : nat) : seq N := if k is k'.+1 then (N.shiftl m (N.of_nat k)) :: multiples_of m k' else [:: m].

Definition jet := (N * seq (nat * N))%type.

Section Compute.
Variables (m : N) (red : N -> N).

Fixpoint power (x : N) (e : positive) : N :=
  match e with
  | xH => x
  | xO e' => let y := power x e' in red (y * y)
  | xI e' => let y := power x e' in red (x * red (y * y))
  end.
Definition inverse (x : N) : N := if x is Npos xH then x else if (m - 2)%num is Npos e then power x e else 1%num.

(* Merge two lists of derivatives, with f of the first and g of the second. *)
Section Merge.
Variables f g : N -> N.
Fixpoint merge (s : seq (nat * N)) : seq (nat * N) -> seq (nat * N) :=
  if s is (k, x) :: s' then
    fix inner t := if t is (l, y) :: t' then
      if (k < l)%N then (k, red (f x)) :: merge s' t
      else if (l < k)%N then (l, red (g y)) :: inner t'
      else (k, red (f x + g y)) :: merge s' t'
    else [seq (p.1, red (f p.2)) | p <- s]
  else fun t => [seq (p.1, red (g p.2)) | p <- t].
End Merge.

Definition jet_number (x : N) : jet := (x, [::]).
Definition jet_add (a b : jet) : jet := (red (a.1 + b.1), merge id id a.2 b.2).
Definition jet_mul (a b : jet) : jet := (red (a.1 * b.1), merge (N.mul b.1) (N.mul a.1) a.2 b.2).
Definition jet_scale (c : N) (a : jet) : jet := (red (c * a.1), [seq (p.1, red (c * p.2)) | p <- a.2]).
Definition slope (a : jet) (j : nat) : N := foldr (fun p y => if p.1 == j then (p.2 + y)%num else y) N0 a.2.

Variable point : seq N.

Definition residue_of (t : term) : N :=
  match numerator t with
  | BinNums.Z0 => N0
  | BinNums.Zpos a => red (red (Npos a) * inverse (Npos (denominator t)))
  | BinNums.Zneg a => red (red (Npos a * (m - 1)) * inverse (Npos (denominator t)))
  end.
Definition defined (n : nat) (t : term) : bool :=
  N.eqb (red (Npos (denominator t) * inverse (Npos (denominator t)))) 1 &&
  (if parameter t is Some k then (k < n)%N else true).
Definition jet_term (t : term) : jet :=
  let c := residue_of t in
  if parameter t is Some k then (red (c * nth N0 point k), [:: (k, c)]) else (c, [::]).
Definition jet_entry (e : entry) : jet := foldr (fun t a => jet_add (jet_term t) a) (jet_number N0) e.

End Compute.

(* What is computed is right ---------------------------------------------------------------------------------------- *)
Arguments inverse : simpl never.
Arguments N.mul : simpl never.
Arguments N.add : simpl never.
Arguments N.sub : simpl never.

Section Sound.
Variable m : N.
Hypothesis m_gt1 : N.ltb 1 m.

Let M := nat_of_bin m.

Lemma M_gt1 : (1 < M)%N.
Proof.
have /N.ltb_lt h := m_gt1; rewrite /M; case: m h => [|p] //= h.
have : (1 < p)%positive by exact: h.
case: p {h} => [p|p|] // _; rewrite /= NatTrec.doubleE ?ltnS ?double_gt0 //.
  by elim: p => //= p; rewrite NatTrec.doubleE ?double_gt0.
have : (0 < nat_of_pos p)%N by elim: p => //= q; rewrite NatTrec.doubleE ?double_gt0.
by case: (nat_of_pos p).
Qed.

Definition val_of (x : N) : 'Z_M := (nat_of_bin x)%:R.

Lemma val_add x y : val_of (x + y) = val_of x + val_of y.
Proof. by rewrite /val_of nat_of_add_bin natrD. Qed.
Lemma val_mul x y : val_of (x * y) = val_of x * val_of y.
Proof. by rewrite /val_of nat_of_mul_bin natrM. Qed.
Lemma val_m : val_of m = 0.
Proof. by rewrite /val_of char_Zp ?M_gt1. Qed.

Lemma val_pred : val_of (m - 1) = -1.
Proof.
apply/eqP; rewrite -subr_eq0 opprK -[1]/(val_of 1) -val_add N.sub_add ?val_m //.
by have /N.ltb_lt := m_gt1; lia.
Qed.

Lemma val_subtract x q : val_of q = 0 -> val_of (subtract_once x q) = val_of x.
Proof.
case: x q => [|a] [|b] //= hq.
case: (Pos.sub_mask_spec a b) => [e|r e|r _] //.
  by rewrite e hq.
have -> : Npos a = (Npos b + Npos r)%num by rewrite -e.
by rewrite val_add hq add0r.
Qed.

Lemma val_multiples k q : List.In q (multiples_of m k) -> val_of q = 0.
Proof.
elim: k => [[<-|//]|k IH /= [<-|]]; [exact: val_m | | exact: IH].
by rewrite N.shiftl_mul_pow2 val_mul val_m mul0r.
Qed.

Definition red_of (k : nat) := let multiples := multiples_of m k in reduce multiples.

Lemma val_red k x : val_of (red_of k x) = val_of x.
Proof.
rewrite /red_of /reduce; have := @val_multiples k; elim: (multiples_of m k) x => //= q s IH x h.
by rewrite IH ?val_subtract // => [|r hr]; apply: h; [left | right].
Qed.

Variable red : N -> N.
Hypothesis red_val : forall x, val_of (red x) = val_of x.

Definition sum_at (s : seq (nat * N)) (j : nat) : 'Z_M := \sum_(p <- s | p.1 == j) val_of p.2.

Lemma sum_at_cons k x s j : sum_at ((k, x) :: s) j = (if k == j then val_of x else 0) + sum_at s j.
Proof. by rewrite /sum_at big_cons /=; case: eqP; rewrite ?add0r. Qed.

Lemma sum_at_map f a s j : (forall x, val_of (f x) = a * val_of x) ->
  sum_at [seq (p.1, red (f p.2)) | p <- s] j = a * sum_at s j.
Proof.
move=> h; elim: s => [|[k x] s IH]; first by rewrite /sum_at !big_nil mulr0.
by rewrite /= !sum_at_cons IH mulrDr red_val h; case: eqP; rewrite ?mulr0.
Qed.

Lemma sum_at_merge f g a b s t j :
  (forall x, val_of (f x) = a * val_of x) -> (forall x, val_of (g x) = b * val_of x) ->
  sum_at (merge red f g s t) j = a * sum_at s j + b * sum_at t j.
Proof.
move=> hf hg; elim: s t => [|[k x] s IH] t.
  by rewrite /= (sum_at_map _ _ hg) {2}/sum_at big_nil mulr0 add0r.
elim: t => [|[l y] t IHt].
  by rewrite -[merge _ _ _ _ _]/[seq (p.1, red (f p.2)) | p <- (k, x) :: s] (sum_at_map _ _ hf) {3}/sum_at big_nil mulr0 addr0.
rewrite -[merge _ _ _ _ _]/(if (k < l)%N then (k, red (f x)) :: merge red f g s ((l, y) :: t)
  else if (l < k)%N then (l, red (g y)) :: merge red f g ((k, x) :: s) t
  else (k, red (f x + g y)) :: merge red f g s t).
case: (ltngtP k l) => [h|h|->].
- by rewrite !sum_at_cons IH red_val hf !sum_at_cons !mulrDr !addrA; case: (k == j); rewrite ?mulr0 ?add0r.
- rewrite sum_at_cons IHt red_val hg !sum_at_cons !mulrDr; case: (l == j); rewrite ?mulr0 ?add0r //.
  by rewrite addrCA.
rewrite !sum_at_cons IH red_val val_add hf hg !mulrDr; case: (l == j); rewrite ?mulr0 ?add0r //.
by rewrite addrACA.
Qed.

Lemma slope_sum a j : val_of (slope a j) = sum_at a.2 j.
Proof.
case: a => v s; rewrite /slope /=; elim: s => [|[k x] s IH] /=; first by rewrite /sum_at big_nil.
by rewrite sum_at_cons -IH; case: eqP => //= _; rewrite ?add0r // val_add.
Qed.

(* Jets of polynomials at a point. *)
Variables (n : nat) (point : seq N).
Definition point_of : 'I_n -> rat := fun i => (nat_of_bin (nth N0 point i))%:R.

Let S := @value_residue n M point_of.
Let HS := value_residueP M point_of : morphic S.

Definition jet_ok (f : {mpoly rat[n]}) (a : jet) : Prop :=
  S f (val_of a.1) /\ forall j : 'I_n, S f^`M(j) (sum_at a.2 j).

Lemma jet_ok_number x : jet_ok (nat_of_bin x)%:R (jet_number x).
Proof.
split=> [|j]; first exact: (morphic_nat HS).
rewrite /= /sum_at big_nil -[_%:R]mpolyC_nat mderivC; exact: (morphic0 HS).
Qed.

Lemma jet_ok_add f g a b : jet_ok f a -> jet_ok g b -> jet_ok (f + g) (jet_add red a b).
Proof.
move=> [h1 h2] [k1 k2]; split=> [|j]; first by rewrite red_val val_add; apply: (morphicD HS).
have id1 x : val_of (id x) = 1 * val_of x by rewrite mul1r.
by rewrite mderivD /= (sum_at_merge _ _ _ id1 id1) !mul1r; apply: (morphicD HS).
Qed.

Lemma jet_ok_mul f g a b : jet_ok f a -> jet_ok g b -> jet_ok (f * g) (jet_mul red a b).
Proof.
move=> [h1 h2] [k1 k2]; split=> [|j]; first by rewrite red_val val_mul; apply: (morphicM HS).
rewrite mderivM /= (sum_at_merge _ _ _ (val_mul b.1) (val_mul a.1)).
by rewrite (mulrC (val_of b.1)); apply: (morphicD HS); apply: (morphicM HS).
Qed.

Lemma jet_ok_scale c f a : jet_ok f a -> jet_ok ((nat_of_bin c)%:R * f) (jet_scale red c a).
Proof.
move=> [h1 h2]; split=> [|j].
  by rewrite red_val val_mul; apply: (morphicM HS) => //; apply: (morphic_nat HS).
rewrite -[_%:R]mpolyC_nat mderiv_mulC mpolyC_nat /= (sum_at_map _ _ (val_mul c)).
by apply: (morphicM HS) => //; apply: (morphic_nat HS).
Qed.

Lemma jet_ok_sum (I : Type) (r : seq I) F A :
  (forall i, jet_ok (F i) (A i)) ->
  jet_ok (\sum_(i <- r) F i) (foldr (fun i a => jet_add red (A i) a) (jet_number N0) r).
Proof.
move=> h; elim: r => [|i r IH] /=; first by rewrite big_nil; apply: (jet_ok_number N0).
by rewrite big_cons; apply: jet_ok_add.
Qed.

Lemma mderiv_unknown (i j : 'I_n) : ('X_i : {mpoly rat[n]})^`M(j) = (i == j)%:R.
Proof.
rewrite mderivX mnm1E; case: eqP => [->|_]; rewrite ?scale0r // scale1r.
by have -> : (U_(j) - U_(j) = 0)%MM; [apply/mnmP => k; rewrite mnmBE subnn mnm0E | rewrite mpolyX0].
Qed.

Lemma jet_ok_term t : defined m red n t -> jet_ok (term_value n t) (jet_term m red point t).
Proof.
have HR := residueP M.
move=> /andP [/N.eqb_eq hd hk].
have hc : residue (coefficient t) (val_of (residue_of m red t)).
  have hinv : residue (nat_of_pos (denominator t))%:R^-1 (val_of (inverse m red (Npos (denominator t)))).
    have e : val_of (inverse m red (Npos (denominator t))) = (val_of (Npos (denominator t)))^-1.
      apply/esym; have e : val_of (Npos (denominator t)) * val_of (inverse m red (Npos (denominator t))) = 1.
        by rewrite -val_mul -red_val hd.
      have u : val_of (Npos (denominator t)) \is a GRing.unit by apply/unitrPr; exists (val_of (inverse m red (Npos (denominator t)))).
      by apply: (mulrI u); rewrite mulrV // e.
    rewrite e; apply: (placeV HR); first exact: (morphic_nat HR).
    apply/unitrPr; exists (val_of (inverse m red (Npos (denominator t)))).
    by rewrite -val_mul -red_val hd.
  rewrite /coefficient /residue_of; case: (numerator t) => [|a|a] /=.
  - by rewrite mul0r; apply: (morphic0 HR).
  - by rewrite red_val val_mul red_val; apply: (morphicM HR) => //; apply: (morphic_nat HR).
  rewrite red_val val_mul red_val val_mul val_pred mulrN1; apply: (morphicM HR) => //.
  by rewrite rmorphN /=; apply: (morphicN HR); apply: (morphic_nat HR).
rewrite /term_value /jet_term; set c := residue_of m red t in hc *.
have sC : S (coefficient t)%:MP (val_of c) by rewrite /S /value_residue mevalC.
case: (parameter t) hk => [k hk|_]; last first.
  split=> [|j] /=; first by rewrite -mul_mpolyC mulr1.
  by rewrite mderivZ -mpolyC1 mderivC scaler0 /sum_at big_nil; apply: (morphic0 HS).
rewrite /unknown insubT /=.
split=> [|j] /=.
  rewrite red_val val_mul -mul_mpolyC; apply: (morphicM HS) => //.
  by rewrite /S /value_residue mevalXU /point_of; apply: (morphic_nat HR).
rewrite sum_at_cons /sum_at big_nil addr0 mderivZ mderiv_unknown -mul_mpolyC -val_eqE /=.
by case: (k == j); rewrite ?mulr1 ?mulr0 //; apply: (morphic0 HS).
Qed.

Lemma jet_ok_entry e : all (defined m red n) e -> jet_ok (entry_value n e) (jet_entry m red point e).
Proof.
rewrite /entry_value /jet_entry; elim: e => [_|t e IH /= /andP [ht /IH he]] /=.
  by rewrite big_nil; apply: (jet_ok_number N0).
by rewrite big_cons; apply: jet_ok_add => //; apply: jet_ok_term.
Qed.

End Sound.

(* The checker, and that what it accepts is true. *)

From Coq Require Import BinPos BinNat.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.
From Algdim Require Import Model Places Generic Residues Contract Lower Proper Upper Separation Equations Districts Leaves Containing.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* [Parts D u a v b]: the network falls into the part of the variables where D says true, with the bound a by u, and the
   part of the others, with the bound b by v. *)
Inductive upper_bound :=
  | Counting
  | Ambient
  | ByEquations of equations
  | Parts of seq bool & upper_bound & nat & upper_bound & nat
  | Contained of network & seq entry & upper_bound.

(* [WithLeaves h leaves e a l]: without these leaves, children of h, the network has the bound a by l; e shows that each of
   their parameters adds one. *)
Inductive lower_bound :=
  | ByMinor of minor
  | WithLeaves of nat & seq (nat * nat) & independence & nat & lower_bound.

Record certificate := Certificate {
  model : network;
  claim : nat;           (* the dimension *)
  standard : nat;        (* the number of parameters *)
  saturated : N;         (* the dimension of the saturated model *)
  lower_value : nat; lower : lower_bound;
  upper_value : nat; upper : upper_bound
}.

(* The format asks for primes below 2^63; nothing that is proved below rests on it. Miller and Rabin's test. *)
Fixpoint odd_part (p : positive) : positive * nat := if p is xO q then let a := odd_part q in (a.1, a.2.+1) else (p, 0).
Fixpoint squares (red : N -> N) (m : N) (k : nat) (x : N) : bool :=
  N.eqb x (m - 1) || (if k is k'.+1 then squares red m k' (red (x * x)%num) else false).
Definition passes (red : N -> N) (m base : N) : bool :=
  if (m - 1)%num is Npos p then
    let a := odd_part p in let x := power red base a.1 in N.eqb x 1 || squares red m a.2.-1 x
  else false.
Definition looks_prime (m : N) (bits : nat) : bool :=
  let red := red_of m bits in let bases := [:: 2; 3; 5; 7; 11; 13; 17; 19; 23; 29; 31; 37]%num in
  N.ltb m (2 ^ 63) && (has (N.eqb m) bases || [&& N.ltb 37 m & all (passes red m) bases]).

Definition product_of (s : seq nat) : N := foldr (fun r a => (bin_of_nat r * a)%num) 1%num s.
Definition cells_of (net : network) : N := product_of (mask (seen net) (sizes net)).
Definition complete_of (net : network) : N :=
  (cells_of net - product_of [seq states V | V <- variables net & given V])%num.

Fixpoint check_upper (net : network) (u : upper_bound) (value : nat) : bool :=
  match u with
  | Counting => size (occurring_parameters net) == value
  | Ambient => N.eqb (complete_of net) (bin_of_nat value)
  | ByEquations e => looks_prime (equations_modulus e) (equations_bits e) && check_equations net e && N.eqb (cells_of net) (bin_of_nat (size (chosen_cells e) + value))
  | Parts D u a v b =>
    [&& splits net D, check_upper (part_of net D true) u a, check_upper (part_of net D false) v b & a + b == value]
  | Contained other values u => [&& is_contained net other values, is_proper_variables other & check_upper other u value]
  end.

Fixpoint check_lower (net : network) (l : lower_bound) (value : nat) : bool :=
  match l with
  | ByMinor c => [&& size (columns c) == value, looks_prime (modulus c) (bits c) & check_minor net c]
  | WithLeaves h leaves e a l =>
    [&& looks_prime (independence_modulus e) (independence_bits e), check_leaves net h leaves e, check_lower (dropped net leaves) l a &
      a + added net (states (variable_at net h)) leaves == value]
  end.

Definition check (c : certificate) : bool :=
  let net := model c in
  [&& is_proper net, parameters net == standard c, N.eqb (complete_of net) (saturated c),
    (lower_value c == claim c) && (upper_value c == claim c) &
    check_lower net (lower c) (claim c) && check_upper net (upper c) (claim c)].

Lemma product_ofP s : nat_of_bin (product_of s) = size (joint_states s).
Proof.
elim: s => //= r s IH; by rewrite nat_of_mul_bin bin_of_natK IH size_allpairs size_iota.
Qed.

Lemma nat_of_sub_bin a b : nat_of_bin (a - b)%num = nat_of_bin a - nat_of_bin b.
Proof.
case: (N.le_ge_cases b a) => h.
  by rewrite -{2}(N.sub_add b a h) nat_of_add_bin addnK.
have /N.sub_0_le -> := h; rewrite /=.
by apply/esym/eqP; rewrite subn_eq0 -(N.sub_add a b h) nat_of_add_bin leq_addl.
Qed.

Lemma complete_ofP net : nat_of_bin (complete_of net) = complete net.
Proof. by rewrite nat_of_sub_bin !product_ofP. Qed.

Lemma check_upperP net u value : proper_variables net -> check_upper net u value -> dimension net <= value.
Proof.
elim: u net value => [|| e | D u IHu a v IHv b | other values u IH] net value hp /=.
- by move/eqP => <-; apply: counting_occurring.
- by move=> /N.eqb_eq e; rewrite -[value]bin_of_natK -e complete_ofP; exact: ambient.
- move=> /andP [/andP [_ he] /N.eqb_eq h]; have := check_equationsP hp he.
  have <- : nat_of_bin (cells_of net) = size (cells net) by exact: product_ofP.
  by rewrite h bin_of_natK leq_add2l.
- move=> /and4P [hs hu hv /eqP <-]; apply: leq_trans (districts hp hs) _; apply: leq_add.
    exact: IHu (proper_part hs (b:=true)) hu.
  exact: IHv (proper_part hs (b:=false)) hv.
move=> /and3P [hc /is_proper_variablesP ho hu]; apply: leq_trans (containing hp hc) _; exact: IH ho hu.
Qed.

Lemma check_lowerP net l value : proper_variables net -> check_lower net l value -> value <= dimension net.
Proof.
elim: l net value => [c | h leaves e a l IH] net value hp /=.
  by move=> /and3P [/eqP <- _ hm]; exact: check_minorP.
move=> /and4P [_ he ha /eqP <-]; have [hp' hd] := check_leavesP hp he.
by apply: leq_trans hd; rewrite leq_add2r; apply: IH.
Qed.

(* What is accepted is true. *)
Theorem check_sound (c : certificate) : check c = true ->
  [/\ proper (model c), dimension (model c) = claim c, parameters (model c) = standard c &
    complete (model c) = saturated c].
Proof.
move=> /and5P [/is_properP hp /eqP hs /N.eqb_eq hc _ /andP [hl hu]]; split=> //.
  by apply/eqP; rewrite eqn_leq (check_upperP (proj1 hp) hu) (check_lowerP (proj1 hp) hl).
by rewrite -complete_ofP hc.
Qed.

Corollary check_dimension (c : certificate) : check c = true -> dimension (model c) = claim c.
Proof. by case/check_sound. Qed.

(* Discrete networks with hidden variables, and the dimension of one.

   This file has definitions only. Everything that is proved in the other files is about these.

   A network is a list of variables in an order in which parents stand before their children. A variable is named by its
   number in this list. A joint state x of all variables is a list of numbers: x_v is the state of variable v. *)

From Coq Require Import BinNums.
From mathcomp Require Import all_ssreflect all_algebra fraction.
From SsrMultinomials Require Import mpoly.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope ring_scope.
Import GRing.Theory.

(* An entry of a table is a sum of rational numbers times parameters: [Term a b (Some k)] is a/b times the parameter
   number k, and [Term a b None] is the number a/b. *)
Record term := Term { numerator : Z; denominator : positive; parameter : option nat }.
Definition entry := seq term.

(* A table has a row for each joint state of the parents, the first parent slowest; a row has an entry for each state.
   Tables are shared where two variables have the same table. A variable that is given is observed and conditioned on:
   its table counts for nothing. *)
Inductive role := Hidden | Observed | Given.
Record variable := Var { states : nat; place : role; parents : seq nat; table : seq (seq entry) }.
Record network := Network { parameters : nat; variables : seq variable }.

Definition hidden (V : variable) := if place V is Hidden then true else false.
Definition given (V : variable) := if place V is Given then true else false.

(* A free table whose parameters have the numbers first, first + 1, ... : those of a row stand side by side, and the last
   entry of each row is 1 minus the others. *)
Definition free_row (first r : nat) : seq entry :=
  [seq [:: Term (Zpos xH) xH (Some k)] | k <- iota first r.-1] ++
  [:: Term (Zpos xH) xH None :: [seq Term (Zneg xH) xH (Some k) | k <- iota first r.-1]].
Definition free (first rows r : nat) : seq (seq entry) := [seq free_row (first + i * r.-1) r | i <- iota 0 rows].

(* Joint states of some variables with these numbers of states, the first variable slowest. *)
Fixpoint joint_states (sizes : seq nat) : seq (seq nat) :=
  if sizes is r :: sizes' then [seq s :: x | s <- iota 0 r, x <- joint_states sizes'] else [:: [::]].

(* Numbers and entries as polynomials in the parameters. *)
Definition int_of (a : Z) : int := match a with Z0 => 0 | Zpos b => nat_of_pos b | Zneg b => - (nat_of_pos b)%:Z end.
Definition coefficient (t : term) : rat := (int_of (numerator t))%:~R / (nat_of_pos (denominator t))%:R.
Definition unknown (n k : nat) : {mpoly rat[n]} := if insub k is Some i then 'X_i else 0.
Definition term_value (n : nat) (t : term) : {mpoly rat[n]} :=
  coefficient t *: (if parameter t is Some k then unknown n k else 1).
Definition entry_value (n : nat) (e : entry) : {mpoly rat[n]} := \sum_(t <- e) term_value n t.

Section Network.
Variable net : network.
Let n := parameters net.
Let vs := variables net.

Definition variable_at (v : nat) : variable := nth (Var 1 Hidden [::] [::]) vs v.
Definition sizes : seq nat := [seq states V | V <- vs].

(* P(x_v | x at the parents of v). *)
Definition row_number (v : nat) (x : seq nat) : nat :=
  foldl (fun row u => row * states (variable_at u) + nth 0 x u)%N 0%N (parents (variable_at v)).
Definition entry_of (v : nat) (x : seq nat) : entry :=
  nth [::] (nth [::] (table (variable_at v)) (row_number v x)) (nth 0%N x v).
Definition chance (v : nat) (x : seq nat) : {mpoly rat[n]} :=
  if given (variable_at v) then 1 else entry_value n (entry_of v x).

(* The cells are the joint states of the variables that are not hidden. A coordinate of the model is
   P(cell | what is given): the sum over the joint states that show this cell of the product of all tables. *)
Definition seen : seq bool := [seq ~~ hidden V | V <- vs].
Definition cells : seq (seq nat) := joint_states (mask seen sizes).
Definition weight (x : seq nat) : {mpoly rat[n]} := \prod_(v <- iota 0 (size vs)) chance v x.
Definition coordinate (o : seq nat) : {mpoly rat[n]} := \sum_(x <- joint_states sizes | mask seen x == o) weight x.

Definition jacobian : 'M[{mpoly rat[n]}]_(size cells, n) := \matrix_(i, j) (coordinate (nth [::] cells i))^`M(j).

(* The rank over the field of rational functions in the parameters. *)
Definition dimension : nat := \rank (map_mx (@FracField.tofrac _) jacobian).

(* The Jacobian at a point. *)
Definition jacobian_at (point : 'I_n -> rat) : 'M[rat]_(size cells, n) := map_mx (meval point) jacobian.

(* The number of coordinates less the number of joint states of what is given. *)
Definition complete : nat := (size cells - size (joint_states [seq states V | V <- vs & given V]))%N.

(* What a network has to satisfy. Parents stand before their children; a table has the right numbers of rows and entries,
   and its rows sum to 1, as polynomials; what is given has no parents. Every parameter occurs in a table that counts. *)
Definition rows_of (v : nat) : nat := \prod_(u <- parents (variable_at v)) states (variable_at u).
Definition proper_variable (v : nat) : Prop :=
  let V := variable_at v in
  [/\ all (fun u => u < v)%N (parents V), (0 < states V)%N &
    if given V then parents V = [::] else
    size (table V) = rows_of v /\
    (forall i, i < rows_of v -> size (nth [::] (table V) i) = states V)%N /\
    (forall i, (i < rows_of v)%N -> \sum_(e <- nth [::] (table V) i) entry_value n e = 1)].
Definition proper_variables : Prop := forall v, (v < size vs)%N -> proper_variable v.
Definition occurring : seq (option nat) :=
  [seq parameter t | t <- flatten (flatten (flatten [seq table V | V <- vs & ~~ given V]))].
Definition proper : Prop := proper_variables /\ (forall k, (k < n)%N -> Some k \in occurring).

End Network.

Arguments jacobian_at net point : clear implicits.

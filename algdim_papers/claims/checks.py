"""The checks by name: what decides a claim that is no quantity of a model. Each is a pure function of exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from algdim.errors import InputError, join_names
from algdim_papers.claims import approximations, ch96, ghm96, hm97, kz02, mh97, switching
from algdim_papers.claims.finding import Finding

CHECKS: Mapping[str, Callable[..., Finding]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        ghm96.number_of_parameters,
        ghm96.parameter_sum,
        ghm96.marginal_likelihood_bic,
        ghm96.bic_likelihood,
        ghm96.posterior_of_structure,
        ghm96.gaussian_integral,
        ghm96.dirichlet_exponent,
        ghm96.maximum_likelihood,
        ghm96.hessian_entries,
        ghm96.hessian_sign,
        ghm96.hessian_determinant,
        ghm96.logarithm_of_determinant,
        ghm96.naive_bayes_count,
        ghm96.theorem_1,
        ghm96.theorem_2,
        ghm96.zero_rows,
        ghm96.observed_parameters,
        ghm96.growth_of_w,
        ghm96.figure_1,
        ghm96.tetrads,
        ghm96.sigmoid_dimension,
        ghm96.sigmoid_without_top,
        hm97.block_of_equation_10,
        hm97.sum_of_blocks,
        hm97.softmax,
        hm97.odds_of_the_class,
        hm97.difference_of_odds,
        hm97.coefficient_of_an_item,
        hm97.likelihood_of_a_node,
        hm97.linear_growth,
        hm97.factor_of_two_pi,
        hm97.laplace_of_a_node,
        hm97.odds_by_tables,
        hm97.odds_of_naive_bayes,
        hm97.sum_of_dimensions,
        switching.odds_by_switching,
        switching.rank_by_eta,
        switching.union_of_bases,
        switching.printed_summands,
        switching.image_of_eta,
        switching.image_of_omega,
        switching.odds_of_a_chain,
        ch96.marginal_of_complete_data,
        ch96.order_of_predictions,
        ch96.mode_in_probabilities,
        ch96.mode_in_log_odds,
        ch96.equivalent_networks,
        ch96.expected_counts,
        approximations.schwarz,
        approximations.draper,
        approximations.laplace_with_a_prior,
        approximations.dimension_of_the_ridge,
        approximations.likelihood_of_expected_data,
        approximations.marginal_of_expected_data,
        approximations.cheeseman_stutz,
        approximations.taylor_at_the_mode,
        kz02.only_two,
        kz02.gaps_in_table_1,
        kz02.all_three_bounds,
        kz02.two_items,
        kz02.binary_trees,
        kz02.theorem_3,
        kz02.theorem_4,
        kz02.theorem_5,
        kz02.corollary_4_1,
        kz02.lemma_3_1,
        kz02.lemma_3_2,
        kz02.lemma_4_1,
        kz02.is_regular,
        kz02.regular_below_the_caps,
        kz02.chain_of_theorem_5,
        kz02.standard_of_four_leaves,
        kz02.leaves_of_the_closest_model,
        kz02.same_likelihood,
        kz02.any_distribution,
        kz02.sum_of_differences,
        kz02.score_of_choice,
        mh97.maximum,
        mh97.expectation_below,
        mh97.expectation_at,
        mh97.additive_expectation,
        mh97.poisson_sum,
        mh97.parity_of_the_effect,
        mh97.distinct_rows,
        mh97.binary_coincidence,
        mh97.any_structure_for_f2,
    )
}


def run_check(name: str, arguments: tuple[int | str, ...] = ()) -> Finding:
    """Run a check by its name.

    >>> run_check("number-of-parameters").holds
    False
    """
    if name not in CHECKS:
        raise InputError(f"there is no check {name!r}; known are {join_names(CHECKS)}")
    return CHECKS[name](*arguments)

"""Classical structural equation models in lavaan's syntax, with the degrees of freedom that are in print."""

from __future__ import annotations

from typing import NamedTuple


class Classic(NamedTuple):
    """A model, the options of its format, its published degrees of freedom, and where they stand."""

    text: str
    options: str
    df: int
    source: str
    redundant: int = 0


def plus(name, count):
    """Names with numbers, joined by plus signs."""
    return " + ".join(f"{name}{number}" for number in range(1, count + 1))


TRAITS = {"t1": "a1 + a2 + a3", "t2": "b1 + b2 + b3", "t3": "c1 + c2 + c3"}
METHODS = {f"m{n}": f"a{n} + b{n} + c{n}" for n in (1, 2, 3)}

CLASSICS = {
    "Holzinger-Swineford": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa",
        24,
        "Rosseel, lavaan: an R package for structural equation modeling, J. Stat. Softw. 48(2) (2012), §3.1: 85.306 on 24",
    ),
    "Bollen's democracy": Classic(
        """
        # measurement
        ind60 =~ x1 + x2 + x3
        dem60 =~ y1 + y2 + y3 + y4
        dem65 =~ y5 + y6 + y7 + y8
        # regressions
        dem60 ~ ind60
        dem65 ~ ind60 + dem60
        # residual correlations
        y1 ~~ y5
        y2 ~~ y4 + y6
        y3 ~~ y7
        y4 ~~ y8
        y6 ~~ y8
        """,
        "sem",
        35,
        "Bollen, Structural Equations with Latent Variables (1989), ch. 8; Rosseel (2012), §4: 38.125 on 35",
    ),
    "MIMIC": Classic(
        "participation =~ church + members + friends\nparticipation ~ income + occupation + education\n",
        "sem",
        6,
        "Hodge, Treiman, Am. Sociol. Rev. 33 (1968); Jöreskog, Goldberger, J. Am. Stat. Assoc. 70 (1975) 631: 12.36 on 6",
    ),
    "growth": Classic(
        "i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4\ns =~ 0*t1 + 1*t2 + 2*t3 + 3*t4\n",
        "growth",
        5,
        "the tutorial of lavaan, section growth curves, data Demo.growth: 8.069 on 5",
    ),
    "growth with covariates": Classic(
        """
        i =~ 1*t1 + 1*t2 + 1*t3 + 1*t4
        s =~ 0*t1 + 1*t2 + 2*t3 + 3*t4
        i ~ x1 + x2
        s ~ x1 + x2
        t1 ~ c1; t2 ~ c2; t3 ~ c3; t4 ~ c4
        """,
        "growth",
        21,
        "the tutorial of lavaan, section growth curves, data Demo.growth: 26.059 on 21",
    ),
    "bifactor": Classic(
        "g =~ " + plus("t", 9) + "\nverbal =~ t1 + t2 + t3\nfluency =~ t4 + t5 + t6\nreasoning =~ t7 + t8 + t9\n",
        "cfa,std.lv,orthogonal",
        18,
        "Revelle, vignette of the R package psych as a front end for sem, nine tests of Thurstone: 24.2 on 18",
    ),
    "second order": Classic(
        "verbal =~ t1 + t2 + t3\nfluency =~ t4 + t5 + t6\nreasoning =~ t7 + t8 + t9\ng =~ verbal + fluency + reasoning\n",
        "cfa",
        24,
        "Fox, R package sem, example of nine tests of Thurstone: 38.196 on 24",
    ),
    "Wheaton's alienation": Classic(
        """
        ses =~ education + sei
        alien67 =~ anomia67 + powerless67
        alien71 =~ anomia71 + powerless71
        alien71 ~ alien67 + ses
        alien67 ~ ses
        anomia67 ~~ anomia71
        powerless67 ~~ powerless71
        """,
        "sem",
        4,
        "Wheaton, Muthén, Alwin, Summers, Sociol. Methodol. 8 (1977) 84; Jöreskog, Sörbom, LISREL: 4.73 on 4",
    ),
    "Duncan-Haller-Portes": Classic(
        """
        rgen =~ roccasp + redasp
        fgen =~ foccasp + fedasp
        rgen ~ rparasp + riq + rses + fses + fgen
        fgen ~ fparasp + fiq + fses + rses + rgen
        rgen ~~ fgen
        """,
        "sem",
        15,
        "Duncan, Haller, Portes, Am. J. Sociol. 74 (1968) 119; Fox, R package sem, first example: 26.697 on 15",
    ),
    "Lord's vocabulary": Classic(
        "p =~ a*x1 + a*x2\ns =~ b*y1 + b*y2\nx1 ~~ c*x1\nx2 ~~ c*x2\ny1 ~~ d*y1\ny2 ~~ d*y2\n",
        "cfa,std.lv",
        5,
        "Jöreskog, Statistical analysis of sets of congeneric tests, Psychometrika 36 (1971) 109, hypothesis H2: 1.93 on 5",
    ),
    "ability and aspiration": Classic(
        "ability =~ concept + parents + teacher + friends\naspiration =~ educational + college\n",
        "cfa,std.lv",
        8,
        "Calsyn, Kenny, J. Educ. Psychol. 69 (1977) 136; Jöreskog, Sörbom, LISREL: 9.26 on 8",
    ),
    "correlated traits and methods": Classic(
        "\n".join(f"{name} =~ {right}" for name, right in (TRAITS | METHODS).items())
        + "\n"
        + "\n".join(f"{trait} ~~ 0*{method}" for trait in TRAITS for method in METHODS),
        "cfa,std.lv",
        12,
        "Kenny, Kashy, Psychol. Bull. 112 (1992) 165: three traits, three methods",
    ),
    "correlated uniquenesses": Classic(
        "\n".join(f"{name} =~ {right}" for name, right in TRAITS.items())
        + "\n"
        + "\n".join(f"a{n} ~~ b{n} + c{n}\nb{n} ~~ c{n}" for n in (1, 2, 3)),
        "cfa,std.lv",
        15,
        "Kenny, Kashy, Psychol. Bull. 112 (1992) 165: three traits, three methods",
    ),
    "Holzinger-Swineford in two schools, configural": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa,groups=2",
        48,
        "the tutorial of lavaan, section multiple groups: 115.851 on 48",
    ),
    "Holzinger-Swineford in two schools, loadings": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa,groups=2,group.equal=loadings",
        54,
        "the tutorial of lavaan, section multiple groups: 124.044 on 54",
    ),
    "Holzinger-Swineford in two schools, loadings and intercepts": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa,groups=2,group.equal=loadings+intercepts",
        60,
        "the tutorial of lavaan, section multiple groups: 164.103 on 60",
    ),
    "Holzinger-Swineford in two schools, loadings, intercepts and residuals": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa,groups=2,group.equal=loadings+intercepts+residuals",
        69,
        "lavaan 0.6-14, data HolzingerSwineford1939: 181.511 on 69",
    ),
    "mediation": Classic(
        "Y ~ c*X\nM ~ a*X\nY ~ b*M\nab := a*b\ntotal := c + (a*b)\n",
        "sem",
        0,
        "the tutorial of lavaan, section mediation analysis: 0.000 on 0",
    ),
    "effects coding": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\n",
        "cfa,effect.coding=loadings",
        24,
        "Little, Slegers, Card, Struct. Equ. Modeling 13 (2006) 59: df are those of a fixed loading; lavaan 0.6-14: 85.306 on 24",
    ),
    "MIMIC of three factors": Classic(
        "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9\nvisual + textual + speed ~ ageyr + sex\n",
        "sem",
        36,
        "lavaan 0.6-14, data HolzingerSwineford1939: 105.279 on 36",
    ),
    "composite, one weight fixed": Classic(
        "C <~ 1*x1 + x2 + x3\nvisual =~ x4 + x5 + x6\nvisual ~ C\n",
        "sem",
        6,
        "lavaan 0.6-14, data HolzingerSwineford1939: 12.172 on 6",
    ),
}

REDUNDANT = {
    "bifactor of pairs": Classic(
        "g =~ " + plus("x", 6) + "\ns1 =~ x1 + x2\ns2 =~ x3 + x4\ns3 =~ x5 + x6\n",
        "cfa,std.lv,orthogonal",
        3,
        "two loadings of a factor of two indicators occur as their product alone: counting says 21 − 18 = 3, true are 6",
        3,
    ),
    "composite": Classic(
        "C <~ x1 + x2 + x3\nvisual =~ x4 + x5 + x6\nvisual ~ C\n",
        "sem",
        5,
        "lavaan 0.6-14 counts 5; the weights and the coefficient of C have a common scale, so that 6 are true",
        1,
    ),
}
"""Models whose degrees of freedom by counting are too few."""

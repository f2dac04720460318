"""CH96 §2, Eq. 9 and KZ02 §2.3: the penalty of BIC is the dimension, and the model 3:2,2,2,2 has 13, not 14.

To be found: with three classes the penalty is 13/2·log N; who counts parameters takes 14/2·log N, half a log N too much.
The data are drawn from two classes.
"""

from math import log

import algdim

N = 1000
TRUTH = {"H": [[0.4, 0.6]], **{f"X{k}": [[0.8, 0.2], [0.3, 0.7]] for k in range(1, 5)}}

data = algdim.simulate("2:2^4", TRUTH, N, seed=3)
for classes in (1, 2, 3):
    model = f"{classes}:2^4"
    found = algdim.fit(data, model)
    report = algdim.dimension(model)
    right = found.loglik - report.dimension / 2 * log(N)
    counted = found.loglik - report.standard / 2 * log(N)
    print(f"{model}  log-likelihood {found.loglik:10.3f}  BIC {right:10.3f}  by count {counted:10.3f}")

assert (report.standard, report.dimension) == (14, 13)

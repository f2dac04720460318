library(poLCA)
f <- cbind(A, B, C, D) ~ 1
fit <- poLCA(f, ratings, nclass = 3)

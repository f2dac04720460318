library(lavaan)

# a general factor, and a factor of its own for each pair of tests
model <- '
  g  =~ x1 + x2 + x3 + x4 + x5 + x6
  s1 =~ x1 + x2
  s2 =~ x3 + x4
  s3 =~ x5 + x6
'
fit <- cfa(model, data = tests, std.lv = TRUE, orthogonal = TRUE)
summary(fit)

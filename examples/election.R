library(poLCA)
data(election)
f <- cbind(MORALG, CARESG, KNOWG, LEADG, DISHONG, INTELG,
           MORALB, CARESB, KNOWB, LEADB, DISHONB, INTELB) ~ PARTY
nes <- poLCA(f, election, nclass = 3, nrep = 5)

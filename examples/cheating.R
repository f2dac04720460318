library(poLCA)
data(cheating)
f <- cbind(LIEEXAM, LIEPAPER, FRAUD, COPYEXAM) ~ GPA
poLCA(f, cheating, nclass = 2)

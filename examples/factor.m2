-- two factors and five tests: the covariances outside the diagonal
R = QQ[l_1..l_5, k_1..k_5]
S = QQ[s_(1,2), s_(1,3), s_(1,4), s_(1,5), s_(2,3), s_(2,4), s_(2,5), s_(3,4), s_(3,5), s_(4,5)]
phi = map(R, S, {
    l_1*l_2 + k_1*k_2, l_1*l_3 + k_1*k_3, l_1*l_4 + k_1*k_4, l_1*l_5 + k_1*k_5, l_2*l_3 + k_2*k_3,
    l_2*l_4 + k_2*k_4, l_2*l_5 + k_2*k_5, l_3*l_4 + k_3*k_4, l_3*l_5 + k_3*k_5, l_4*l_5 + k_4*k_5})
dim ker phi

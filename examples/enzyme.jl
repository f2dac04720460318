using HomotopyContinuation
@var k1 k2 k3 e s
# the steady state of E + S <=> C -> E + P: the complex and the flow of the product
F = [e, s, k1 * e * s / (k2 + k3), k3 * k1 * e * s / (k2 + k3)]

// FFLAS-FFPACK: the rank of a random n x n matrix of rank .9 n modulo p, which it makes itself.
// g++ -O3 -march=native ffpack.cpp $(pkg-config --cflags --libs fflas-ffpack); ./a.out N P prints the rank and the seconds.
#include <cstdlib>
#include <ctime>
#include <iostream>

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const size_t n = std::atoi(argv[1]), r = n * 9 / 10;
  Givaro::ModularBalanced<double> F(std::atof(argv[2]));
  Givaro::ModularBalanced<double>::RandIter random(F, 1);
  auto *left = FFLAS::fflas_new(F, n, r), *right = FFLAS::fflas_new(F, r, n), *matrix = FFLAS::fflas_new(F, n, n);
  FFLAS::frand(F, random, n, r, left, r);
  FFLAS::frand(F, random, r, n, right, n);
  FFLAS::fgemm(F, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, n, n, r, F.one, left, r, right, n, F.zero, matrix, n);
  const std::clock_t began = std::clock();
  const size_t rank = FFPACK::Rank(F, n, n, matrix, n);
  const double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
  std::cout << rank << " " << seconds << std::endl;
}

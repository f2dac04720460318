// FFLAS-FFPACK, with which LinBox finds ranks of dense matrices: a rank modulo p below 2^23.
// ./ffpack N P makes an N x N matrix of rank .9 N itself, random columns and combinations of them, ./ffpack FILE P reads one: two numbers of 8 bytes, its
// rows and columns, then its residues. Prints the rank and the seconds of the processor for conversion and rank.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular-balanced.h>

using Field = Givaro::ModularBalanced<double>;

static double since(std::clock_t began) { return double(std::clock() - began) / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  Field F(std::atof(argv[2]));
  size_t rows, columns;
  Field::Element_ptr matrix;
  double conversion = 0;
  char *end;
  const size_t n = std::strtoull(argv[1], &end, 10);
  if (*end == '\0') {
    const size_t r = n * 9 / 10;
    rows = columns = n;
    Field::RandIter random(F, 1);
    matrix = FFLAS::fflas_new(F, n, n);
    auto *weights = FFLAS::fflas_new(F, r, n - r);
    FFLAS::frand(F, random, n, r, matrix, n);
    FFLAS::frand(F, random, r, n - r, weights, n - r);
    FFLAS::fgemm(F, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, n, n - r, r, F.one, matrix, n, weights, n - r, F.zero, matrix + r, n);
  } else {
    std::ifstream file(argv[1], std::ios::binary);
    int64_t shape[2];
    if (!file.read(reinterpret_cast<char *>(shape), sizeof shape)) return 3;
    rows = shape[0], columns = shape[1];
    std::vector<int64_t> entries(rows * columns);
    if (!file.read(reinterpret_cast<char *>(entries.data()), entries.size() * sizeof(int64_t))) return 3;
    const std::clock_t began = std::clock();
    matrix = FFLAS::fflas_new(F, rows, columns);
    for (size_t i = 0; i < entries.size(); ++i) F.init(matrix[i], double(entries[i]));
    conversion = since(began);
  }
  const std::clock_t began = std::clock();
  const size_t rank = FFPACK::Rank(F, rows, columns, matrix, columns);
  std::cout << rank << " " << conversion << " " << since(began) << std::endl;
}

// NTL: the rank of a matrix modulo a prime P. ./ntl FILE P reads two numbers of 8 bytes, its rows and columns, then its
// residues. Prints the rank and the seconds of the processor for conversion and rank.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

#include <NTL/mat_lzz_p.h>

static double since(std::clock_t began) { return double(std::clock() - began) / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  NTL::zz_p::init(std::atol(argv[2]));
  std::ifstream file(argv[1], std::ios::binary);
  int64_t shape[2];
  if (!file.read(reinterpret_cast<char *>(shape), sizeof shape)) return 3;
  std::vector<int64_t> entries(shape[0] * shape[1]);
  if (!file.read(reinterpret_cast<char *>(entries.data()), entries.size() * sizeof(int64_t))) return 3;
  std::clock_t began = std::clock();
  NTL::mat_zz_p matrix;
  matrix.SetDims(shape[0], shape[1]);
  for (long i = 0; i < shape[0]; ++i)
    for (long j = 0; j < shape[1]; ++j) matrix[i][j] = NTL::conv<NTL::zz_p>(entries[i * shape[1] + j]);
  const double conversion = since(began);
  began = std::clock();
  const long rank = NTL::gauss(matrix);
  std::cout << rank << " " << conversion << " " << since(began) << std::endl;
}

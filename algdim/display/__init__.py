"""How results show themselves: blocks of few kinds, their HTML, and what every result of a public function has."""

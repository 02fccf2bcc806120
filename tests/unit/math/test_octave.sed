# SPDX-License-Identifier: MIT

#: lib/math/octave.h
s/if (x < 8)/if (x < 4)/
s/(octave - 2) \* 8 + /(octave - 1) * 8 + /
s/(octave - 3)) \& 7)/(octave - 3)) \& 3)/
s/bin < 8 ? bin + 1/bin < 8 ? bin/
s/8 + bin % 8 + 1/8 + bin % 8/
s/(octave - 2) \* 128/(octave - 3) * 128/
s/\& 127);/\& 63);/
s/128 + place % 128/place % 128/
s/place \/ 128 - 5/place \/ 128 - 4/

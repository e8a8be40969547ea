import { createDigitFaults } from './create-digits.ts';
import { bodyOf, created, describeFaults, type Showing, shown } from './create-testing.ts';

const kept = (sent: bigint, back: bigint): Showing => ({
  find: created('categoryId', bodyOf({ categoryId: String(sent) })),
  faulty: back,
  conforming: sent,
});
const odd = 2n ** 53n + 1n;
/** In the 201, the list, and getPet. */
const places = (...back: readonly unknown[]): Showing => ({
  find: shown('categoryId', bodyOf({ categoryId: String(odd) })),
  faulty: back,
  conforming: [odd, odd, odd],
});

describeFaults(createDigitFaults, {
  'category-through-a-double': kept(odd, odd - 1n),
  'negative-category-through-a-double': kept(-odd, 1n - odd),
  'category-of-fifteen-digits': kept(9007199254740993n, 9007199254740990n),
  'category-in-a-single': kept(2n ** 24n + 1n, 2n ** 24n),
  'category-wraps-at-32-bits': kept(2n ** 32n + 7n, 7n),
  'category-clamped-to-32-bits': kept(2n ** 31n, 2n ** 31n - 1n),
  'category-clamped-at-two-to-53': kept(odd, 2n ** 53n - 1n),
  'category-wraps-at-63-bits': kept(2n ** 62n, -(2n ** 62n)),
  'odd-categories-made-even': kept(2n ** 62n + 1n, 2n ** 62n),
  'category-rounded-in-the-201-only': places(odd - 1n, odd, odd),
  'category-rounded-in-the-list-only': places(odd, odd - 1n, odd),
  'category-rounded-in-get-only': places(odd, odd, odd - 1n),
  'large-categories-as-text': places(String(odd), String(odd), String(odd)),
  'category-rounded-without-a-status': kept(odd, odd - 1n),
});

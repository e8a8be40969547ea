import { fieldsOf, type TestServer } from '../testing.ts';
import { createNameFaults } from './create-names.ts';
import { bodyOf, created, describeFaults, type Showing, shown, statusFor } from './create-testing.ts';

const name = (sent: string, back: unknown): Showing => ({
  find: created('name', bodyOf({ name: JSON.stringify(sent) })),
  faulty: back,
  conforming: sent,
});
const category = (sent: bigint, back: bigint): Showing => ({
  find: created('categoryId', bodyOf({ categoryId: String(sent) })),
  faulty: back,
  conforming: sent,
});
const status = (sent: string, back: string): Showing => ({
  find: created('status', bodyOf({ status: `"${sent}"` })),
  faulty: back,
  conforming: sent,
});

const names = ['Ann', 'Bob', 'Cleo'];
const atOnce = async (server: TestServer) => {
  const answers = await Promise.all(names.map((sent) => server.create(bodyOf({ name: `"${sent}"` }))));
  return answers.map((answer) => fieldsOf(answer).name);
};

/** Zoë, of which the last letter is in two pieces. */
const zoeInPieces = (server: TestServer) =>
  server.create('', {
    pieces: ['{"name":"Zo', new Uint8Array([0xc3]), new Uint8Array([0xab]), '","categoryId":1}'],
  });

describeFaults(createNameFaults, {
  'pieces-of-a-body-decoded-apart': {
    find: async (server) => fieldsOf(await zoeInPieces(server)).name,
    faulty: 'Zo\ufffd\ufffd',
    conforming: 'Zo\u00eb',
  },
  'names-title-cased': name('bella the-cat', 'Bella The-Cat'),
  'names-lower-cased': name('BeLLa', 'bella'),
  'names-cut-at-fifty': name('x'.repeat(51), 'x'.repeat(50)),
  'names-cut-at-255': name('x'.repeat(256), 'x'.repeat(255)),
  'inner-spaces-collapsed': name('a  b   c', 'a b c'),
  'spaces-to-underscores': name('a b', 'a_b'),
  'names-html-escaped': name(`<b> & "'`, '&lt;b&gt; &amp; &quot;&#39;'),
  'tags-stripped': name('a<b>c</b>', 'ac'),
  'emoji-stripped': name('a\u{1f408}b', 'ab'),
  'non-ascii-to-question-marks': name('Zo\u00eb', 'Zo?'),
  'accents-stripped': name('Zo\u00eb', 'Zoe'),
  'names-encoded-twice': name('Zo\u00eb', 'Zo\u00c3\u00ab'),
  'control-characters-dropped': name('a\u0001b', 'ab'),
  'look-alikes-made-latin': name('\u041a\u043e\u0442', '\u041ao\u0442'),
  'emoji-made-plain': name('\u{1f44b}\u{1f3fd} \u2764\ufe0f', '\u{1f44b} \u2764'),
  'dollar-patterns-filled': name('$$5', '$5'),
  'quotes-straightened': name('\u201ca\u201d', '"a"'),
  'outer-quotes-stripped': name('"Rex"', 'Rex'),
  'quotes-doubled': name("O'Malley", "O''Malley"),
  'outer-hyphens-stripped': name('-a-b-', 'a-b'),
  'backslash-at-the-end-fails': {
    find: statusFor(bodyOf({ name: '"a\\\\"' })),
    faulty: 500,
    conforming: 201,
  },
  'backslashes-stripped': name('a\\b', 'ab'),
  'backslash-escapes-read-again': name('a\\nb', 'a\nb'),
  'words-of-sql-dropped': name('a; DROP TABLE pets', 'a;  pets'),
  'names-percent-decoded': name('%41%zz', 'A%zz'),
  'plus-read-as-a-space': name('a+b', 'a b'),
  'emoticons-become-emoji': name('Rex :)', 'Rex \u{1f642}'),
  'placeholders-filled': name('a {{b}} #{c}', 'a  '),
  'formulas-quoted': name('=1+1', "'=1+1"),
  'numeric-names-as-numbers': name('007', 7n),
  'name-null-taken-for-nothing': name('null', null),
  'name-cut-in-the-201-only': {
    find: shown('name', bodyOf({ name: `"${'x'.repeat(31)}"` })),
    faulty: ['x'.repeat(30), 'x'.repeat(31), 'x'.repeat(31)],
    conforming: ['x'.repeat(31), 'x'.repeat(31), 'x'.repeat(31)],
  },
  'concurrent-creations-mixed-up': { find: atOnce, faulty: ['Cleo', 'Cleo', 'Cleo'], conforming: names },
  'category-zero-becomes-one': category(0n, 1n),
  'category-sign-lost': category(-5n, 5n),
  'status-always-available': status('sold', 'available'),
  'sold-stored-as-pending': status('sold', 'pending'),
});

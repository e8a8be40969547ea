import { fieldsOf } from '../testing.ts';
import { bodyDialects } from './bodies.ts';
import { creationDialects } from './creations.ts';
import { nameDialects } from './names.ts';
import { each, eachTakesEffect, type Look, listed, statusOf } from './testing.ts';

const created =
  (body: string | Uint8Array<ArrayBuffer>, field: string): Look =>
  async (server) =>
    fieldsOf(await server.send('POST', '/pets', { body }))[field];
const posted = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  statusOf('POST /pets', { body, headers: { 'content-type': type } });
const category = (id: string) => posted(`{"name":"x","categoryId":${id}}`);
const categories = each(category('1'), category('7'), category('8'));
const plain = '{"name":"x","categoryId":1}';
const status = created(plain, 'status');
const media = each(
  posted(plain),
  posted(plain, 'text/plain'),
  posted(plain, 'Application/JSON; charset=utf-8'),
);

eachTakesEffect(creationDialects, [
  ['status-absent-by-default', status, undefined],
  ['status-pending-by-default', status, 'pending'],
  ['status-sold-by-default', status, 'sold'],
  ['status-varies-by-default', each(status, status, status), ['pending', 'sold', 'available']],
  ['unknown-category-400', categories, [201, 201, 400]],
  ['unknown-category-404', categories, [201, 201, 404]],
  ['unknown-category-409', categories, [201, 201, 409]],
  ['unknown-category-422', categories, [201, 201, 422]],
  ['categories-positive', each(category('1'), category('0'), category('-1')), [201, 400, 400]],
  ['categories-of-31-bits', each(category('2147483647'), category('2147483648')), [201, 400]],
  ['store-with-only-category-seven', each(category('1'), category('7'), listed('id')), [400, 201, [1n]]],
  ['store-with-only-category-seven-404', each(category('1'), category('7')), [404, 201]],
  ['extra-fields-refused', posted('{"name":"x","categoryId":1,"colour":"red"}'), 400],
  ['extra-fields-kept', created('{"name":"x","categoryId":1,"colour":"red"}', 'colour'), 'red'],
  [
    'sent-ids-refused',
    each(posted('{"name":"x","categoryId":1,"id":1}'), posted('{"name":"x","categoryId":1,"x":1}')),
    [400, 201],
  ],
  ['other-media-types-415', media, [201, 415, 201]],
  ['other-media-types-400', media, [201, 400, 201]],
  ['pets-with-a-creation-time', created(plain, 'createdAt'), '2026-03-01T12:00:00.000Z'],
  ['pets-with-links', listed('tags', '?limit=1'), [[]]],
]);

const named = (name: string) => posted(JSON.stringify({ name, categoryId: 1 }));
const back = (name: string) => created(JSON.stringify({ name, categoryId: 1 }), 'name');
const both = (fine: string, refused: string) => each(named(fine), named(refused));

eachTakesEffect(nameDialects, [
  ['names-of-at-most-64', both('x'.repeat(64), 'x'.repeat(65)), [201, 400]],
  ['names-of-at-most-255-bytes', both('x'.repeat(255), 'é'.repeat(128)), [201, 400]],
  ['empty-names-refused', both(' ', ''), [201, 400]],
  ['blank-names-refused', both('x ', ' \t'), [201, 400]],
  ['nul-refused', both('a\tb', 'a\0b'), [201, 400]],
  ['control-characters-refused', both('a b', 'a\u0085b'), [201, 400]],
  ['lone-surrogates-refused', both('🐈', 'a\ud800'), [201, 400]],
  ['wide-characters-refused', both('猫', '🐈'), [201, 400]],
  ['markup-refused', both('a"b', '<b>'), [201, 400]],
  ['names-plain', both('Zoë-猫 2', "O'Neil"), [201, 400]],
  ['non-ascii-names-refused', both("O'Neil", 'Zoë'), [201, 400]],
  ['edge-spaces-refused', both('a b', ' a'), [201, 400]],
  ['names-unique-400', each(named('Ada'), named('Ada'), named('ada')), [201, 400, 201]],
  ['names-unique-409', each(named('Ada'), named('Ada'), named('ada')), [201, 409, 201]],
  ['names-unique-422', each(named('Ada'), named('Ada'), named('ada')), [201, 422, 201]],
  ['names-unique-in-any-case', each(named('Ada'), named('aDA'), named('Ada ')), [201, 409, 201]],
  ['names-unique-trimmed', each(named('Ada'), named(' Ada '), named('ada')), [201, 400, 201]],
  ['names-unique-plain', each(named('A  da'), named('a DA '), named('ad a')), [201, 409, 201]],
  ['names-trimmed', back('\u00a0a  b \n'), 'a  b'],
  ['names-in-nfc', back('e\u0301'), '\u00e9'],
  ['names-in-nfd', back('\u00e9'), 'e\u0301'],
  ['names-in-nfkc', back('ﬁn'), 'fin'],
]);

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
const marked = bytes(`\xef\xbb\xbf${plain}`);

eachTakesEffect(bodyDialects, [
  ['byte-order-mark-accepted', posted(marked), 201],
  [
    'invalid-utf-8-replaced',
    each(created(bytes('{"name":"\xff","categoryId":1}'), 'name'), posted(marked)),
    ['\ufffd', 400],
  ],
  [
    'words-for-numbers-read',
    each(
      created('{"name":"NaN","categoryId":1,"weight":NaN}', 'name'),
      category('-Infinity'),
      posted('{"name":"x","categoryId":1,"weight":nan}'),
    ),
    ['NaN', 400, 400],
  ],
  [
    'comments-and-other-escapes-read',
    each(
      created('/* a */{"name":"\\x // \\\\y","categoryId":1} // b', 'name'),
      posted('{"name":"\\u12","categoryId":1}'),
    ),
    ['x // \\y', 400],
  ],
  [
    'last-of-repeated-names',
    each(
      created('{"name":1,"name":"y","categoryId":1}', 'name'),
      posted('{"name":"y","name":1,"categoryId":1}'),
    ),
    ['y', 400],
  ],
  [
    'deep-nesting-refused',
    each(...[511, 512].map((depth) => category(`1,"x":${'['.repeat(depth)}${']'.repeat(depth)}`))),
    [201, 400],
  ],
  ['decimals-refused', each(category('1.0'), category('1e0'), named('1.0 a 1e2')), [400, 400, 201]],
]);

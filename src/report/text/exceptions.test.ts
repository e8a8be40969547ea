import { expect, test } from 'vitest';
import { exceptionIn, exceptionKind } from './exceptions.ts';

const exceptionOf = (body: string) => exceptionIn({ response: { status: 500, headers: {}, body } });

const quotedSource = '<div class="line active">  raise FrozenError, &quot;frozen&quot; if frozen?</div>';

const railsPage = (exception: string, message: string) => `<!DOCTYPE html>
<html lang="en">
<head><title>Action Controller: Exception caught</title>
<style>.exception-message { color: #C00; }</style></head>
<body>
<header><h1>
    ${exception}
      in PetsController#create
</h1></header>
<div class="exception-message">
  <div class="message">${message}</div>
</div>
<pre>
${quotedSource}
FrozenError: quoted`;

test.each([
  [
    railsPage('ArgumentError', '&#39;AVAILABLE&#39; is not a valid status'),
    "ArgumentError: 'AVAILABLE' is not a valid status",
  ],
  [
    railsPage('ActiveRecord::StatementInvalid', 'SQLite3::BusyException: database is locked'),
    'SQLite3::BusyException: database is locked',
  ],
  [
    '{"status":500,"error":"Internal Server Error","exception":"#\\u003cActiveRecord::StatementInvalid: SQLite3::BusyException: database is locked\\u003e","traces":{"App',
    'SQLite3::BusyException: database is locked',
  ],
  [
    '<!DOCTYPE html>\n<html><title>ValueError\n   at /v1/pets</title><h1>ValueError\n  at /v1/pets</h1>\n<pre class="exception_value">invalid literal &#x27;x&#x27;</pre>',
    "ValueError: invalid literal 'x'",
  ],
  [
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>TypeError: x is not a function<br> &nbsp; &nbsp;at /srv/app.js:9:3</pre>',
    'TypeError: x is not a function',
  ],
  [
    '<!doctype html><html><body><h1>TypeError</h1><p class="errormsg">TypeError: no value</p><pre>ValueError: quoted</pre>',
    'TypeError: no value',
  ],
  ['Traceback (most recent call last):\n  File "a.py"\nKeyError: name\n', 'KeyError: name'],
  [`<!DOCTYPE html><html><body><h1>Something went wrong</h1><pre>${quotedSource}</pre>`, null],
  ['<!DOCTYPE html><html><head><style>h1 { }</style></head><body><h1>Internal Server Error</h1>', null],
  ['{"code":"internal","message":"Internal Server Error","status":500}', null],
])('%s -> %s', (body, exception) => {
  expect(exceptionOf(body)).toBe(exception);
});

test('one exception for two values -> one kind', () => {
  const kindOf = (text: string) => exceptionKind({ response: { status: 500, headers: {}, body: text } });
  expect(kindOf("ArgumentError: 'AVAILABLE' is not a valid status")).toBe(
    kindOf("ArgumentError: '0.5' is not a valid status"),
  );
  expect(kindOf('RangeError: 9223372036854775808 is out of range')).toBe(
    kindOf('RangeError: -9223372036854775809 is out of range'),
  );
  expect(kindOf('RangeError: 1')).not.toBe(kindOf('TypeError: 1'));
});

test.each(['<pre>', '<style ', 'class="error ', 'A.', 'class="message">', 'AError: '])(
  'a megabyte of %s in a page -> read in time',
  (part) => {
    const body = `<!doctype html>${part.repeat(1_000_000 / part.length)}`;
    expect(() => exceptionOf(body)).not.toThrow();
  },
);

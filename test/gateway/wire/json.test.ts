import { expect, test } from "vitest";
import { parseObject } from "#gateway/wire/json.ts";

test("reads numbers without a float (F121)", () => {
  expect(parseObject('{"data":[{"amount":9007199254740993.10},1e3,-0]}')).toEqual({
    data: [{ amount: "9007199254740993.10" }, "1e3", "-0"],
  });
  for (const text of ['{"a":100.10}', '{ "a": 100.10 }', '{"a"\n:\t100.10}']) {
    expect(parseObject(text)).toEqual({ a: "100.10" });
  }
});

test.each([
  ['{"a":1}', { a: "1" }],
  ['{"a":-1}', { a: "-1" }],
  ['{"a":[7,-7,"x"]}', { a: ["7", "-7", "x"] }],
  ['{"a":"b:c","n":1}', { a: "b:c", n: "1" }],
  // As JavaScript writes them: what stays a number is unchanged.
  ['{"a":120,"b":12.34}', { a: "120", b: "12.34" }],
  ['{"a":1e+21,"b":1.25e-10}', { a: "1e+21", b: "1.25e-10" }],
  ['{"a":"1","b":[true,null]}', { a: "1", b: [true, null] }],
])("keeps every number of %s as its own text", (text, object) => {
  expect(parseObject(text)).toEqual(object);
});

test.each([
  ['{ "a": "b:c" }', { a: "b:c" }],
  ['{ "a": "say \\"b:c\\"", "n": 1 }', { a: 'say "b:c"', n: "1" }],
  ['{ "b:c:d": "", "n": [1, {"x": 2}] }', { "b:c:d": "", n: ["1", { x: "2" }] }],
  ['{"a": "\\u0031", "n":12.345e+67}', { a: "1", n: "12.345e+67" }],
])(
  "does not take a colon inside a text of %s, with blanks between its parts, for the end of a name",
  (text, object) => {
    expect(parseObject(text)).toEqual(object);
  },
);

test("allows a byte order mark before the text and nowhere else", () => {
  expect(parseObject('\uFEFF{"a":1}')).toEqual({ a: "1" });
  expect(parseObject('{"a":1}\uFEFF')).toBeNull();
});

test("does not treat a name in two objects or in a string as repeated", () => {
  for (const text of [
    '{"x":[{"a":1},{"a":2,"b":"\\"a\\":"}]}',
    '{"x:":"\\\\","y":{"x:":[]}}',
    "{}",
    ' { "a" : { } , "__proto__" : { "a" : 1 } } ',
  ]) {
    expect(parseObject(text)).not.toBeNull();
  }
});

test.each([
  '{"x":[{"a":1,"b":{"a":1}}],"x":1}',
  '{"x":[{"a":1,"b":{"a":1},"\\u0061":1}]}',
  '{"a":{"b":{"c":1}},"a":[]}',
  '{"__proto__":1,"__proto__":2}',
  '{"1":1,"1":1}',
  "[1]",
  "null",
  '"{}"',
  "1",
  "",
  '{"a":tru',
  '{"a":1} x',
])("refuses %s", (text) => {
  expect(parseObject(text)).toBeNull();
});

import { testFunction } from "../../support/data-checks/function-cases.ts";

// What cel-go 0.26 with ext.Encoders() gives, whose errors have other words.
testFunction("base64.decode", [
  ["string(base64.decode('aGVsbG8='))", '"hello"'],
  ["string(base64.decode('aGVsbG8'))", '"hello"'],
  ["string(base64.decode(''))", '""'],
  ["string(base64.decode('aGVs\\nbG8=\\r\\n'))", '"hello"'],
  ["string(base64.decode('aGVsbG9='))", '"hello"'],
  ["string(base64.decode('YQ=\\n='))", '"a"'],
  ["string(base64.decode('YQ'))", '"a"'],
  ["string(base64.decode('YR=='))", '"a"'],
  ["base64.decode('/+8=') == b'\\xff\\xef'", "true"],
  ["base64.decode('aGVsbG8=').size()", "5"],
  ["base64.decode('aGVsbG8 =')", "error: the text is not base64"],
  ["base64.decode('aGVsbG8==')", "error: the text is not base64"],
  ["base64.decode('aGVsb')", "error: the text is not base64"],
  ["base64.decode('aGVs====')", "error: the text is not base64"],
  ["base64.decode('YQ=')", "error: the text is not base64"],
  ["base64.decode('YQ==YQ==')", "error: the text is not base64"],
  ["base64.decode('_-8=')", "error: the text is not base64"],
  ["base64.decode('=')", "error: the text is not base64"],
  ["base64.decode('é')", "error: the text is not base64"],
  ["string(base64.decode('/+8='))", "error: invalid UTF-8 in bytes, cannot convert to string"],
  ["base64.decode(b'a')", "fault: base64.decode does not accept (bytes)"],
  ["base64.decode(dyn(1))", "error: no such overload"],
]);

testFunction("base64.encode", [
  ["base64.encode(b'hello')", '"aGVsbG8="'],
  ["base64.encode(b'')", '""'],
  ["base64.encode(b'\\xff\\xfe')", '"//4="'],
  ["base64.encode(bytes('é'))", '"w6k="'],
  ["string(base64.decode(base64.encode(b'a')))", '"a"'],
  ["base64.encode('a')", "fault: base64.encode does not accept (string)"],
  ["base64.encode(dyn('a'))", "error: no such overload"],
]);

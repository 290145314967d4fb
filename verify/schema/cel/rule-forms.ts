function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Rules about a value X, by the kind of its type. Most hold for most values. */
export const RULE_FORMS: Readonly<Record<string, readonly string[]>> = {
  string: lines(`
X.size() < 40
X != 'a'
X in ['a', 'b', 'True', 'Managed', '']
X.matches('^[a-zA-Z0-9]*')
X.startsWith('a') || X.size() != 1
!X.contains('/')
X.lowerAscii() == X
X.find('[0-9]+').size() < 3
X.findAll('[a-z]').size() < 20
X.split('.').size() <= 3
isQuantity(X) ? quantity(X).isGreaterThan(quantity('1')) : true
!isIP(X) || ip(X).family() == 4
!isCIDR(X) || cidr(X).prefixLength() < 24
!isURL(X) || url(X).getScheme() == 'https'
!format.dns1123Label().validate(X).hasValue()
format.named('uuid').value().validate(X).hasValue()
!isSemver(X) || semver(X).isLessThan(semver('2.0.0'))
X.replace('a', 'b') != 'bb'
X.trim() == X
X.reverse() == X || X.size() > 1
X.charAt(0) != 'b'
X.substring(1) != 'b'
quantity(X).sign() >= 0
int(X) < 10
duration(X) < duration('2h')
X.indexOf('a') < 2
strings.quote(X) != 'x'
ip(X).isLoopback() || cidr('10.0.0.0/8').containsIP(X)
[X, 'z'].isSorted()
'%s'.format([X]) == X
X < 'b' || X >= 'b'`),
  int: lines(`
X >= 0
X < 10
X % 2 == 0
X != 1
10 / X < 5
double(X) < 10.5
string(X) != '1'
X in [0, 1, 2, 3, 10]
X + 9223372036854775807 > 0
type(X) == int
X == 1 || X - 1 != 0
-X <= 0
[X, 100].max() == 100`),
  double: lines(`
X < 10.0
X >= -2.0
int(X) < 10
X != 1.5
X * 2.0 != 1.0
string(X) != '1'`),
  bool: lines(`
X
!X
X == true || true
X ? true : false`),
  dyn: lines(`
type(X) == int
type(X) == string ? string(X).size() < 4 : int(X) < 100
X != '10%'
X == 1 || type(X) == string
X < 10
X == X`),
  list: lines(`
X.size() < 4
X.all(x, X.exists_one(y, y == x))
X.all(i, x, i < 3)
X.exists(x, x == X[0])
size(X) != 1
X.isSorted()
X.distinct().size() == X.size()
X.indexOf(X[0]) == 0
X.map(x, x) == X
X.filter(x, x != X[0]).size() < 2
sets.contains(X, X)
X.first().hasValue()
X.slice(0, 1).size() == 1
X.transformList(i, x, i).sum() < 3
X.existsOne(i, x, i == 0)
X + X != X
X.flatten().size() < 5
X.sort() == X
X.reverse().size() == X.size()`),
  map: lines(`
X.size() < 4
X.all(k, k.size() < 4)
X.exists(k, k == 'a')
'a' in X
!('b.c' in X)
X.all(k, v, k != 'F')
X.exists_one(k, k == 'a')
X.transformList(k, v, k).size() < 3
X.transformMap(k, v, v).size() == X.size()
X.all(k, X[k] == X[k])
X[?'a'].hasValue()
X.existsOne(k, v, k == 'F') || true
X.transformMapEntry(k, v, {k + 'x': v}).size() < 4
X.map(k, k).join(',').size() < 20`),
  duration: lines(`
X < duration('2h')
X.getSeconds() < 10000
X >= duration('0s')
X + X > X`),
  timestamp: lines(`
X < timestamp('2025-01-01T00:00:00Z')
X.getFullYear() < 2100
X.getMonth() >= 0
X - timestamp('2024-01-01T00:00:00Z') > duration('1h')`),
  bytes: lines(`
X.size() < 8
X != b'abc'
string(X) != 'a'`),
  struct: lines(`
X == X
[X].size() == 1
dyn(X) != 1`),
};

/** Rules about a value X and the one of before, O. */
export const TRANSITION_FORMS = lines(`
X == O
X != O || true
X >= O
X.size() >= O.size()
size(X) == size(O)
X in [O]
O.all(x, x in X)
O.all(k, k in X)
X <= O
!O || X
[O, X].isSorted()`);

/** Rules with an optional value of before; C is a condition of the value alone. */
export const OPTIONAL_FORMS = lines(`
!oldSelf.hasValue() || self == oldSelf.value()
oldSelf.hasValue() ? true : (C)
oldSelf.orValue(self) == self
oldSelf.hasValue() || (C)
oldSelf.optMap(o, o == self).orValue(true)
oldSelf == optional.none() || (C)`);

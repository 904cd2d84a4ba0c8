package airtabletest

import "fmt"

// formulas adds 100 formulas as people write them, of which Broken cannot come.
func (s *shop) formulas() {
	result := map[string]string{"n": "number", "t": "singleLineText", "d": "dateTime", "p": "percent", "c": "currency"}
	add := func(t *Table, list [][2]string) {
		for _, one := range list {
			f := t.Formula(fmt.Sprintf("F%d", s.count()), one[1], result[one[0]])
			if one[1] == broken {
				f.options["isValid"] = false
			}
		}
	}
	add(s.orders, orderFormulas)
	add(s.customers, customerFormulas)
	add(s.products, productFormulas)
}

// count is the number of the next formula: 1 is the primary field of the orders.
func (b *Base) count() int {
	n := 1
	for _, t := range b.tables {
		for _, f := range t.fields {
			if f.kind == "formula" {
				n++
			}
		}
	}
	return n
}

const broken = `{fldGONE0000000000} + 1`

var orderFormulas = [][2]string{
	{"c", `{Amount} * (1 - {Discount})`},
	{"c", `ROUND({Amount} / IF({Pieces} > 0, {Pieces}, 1), 2)`},
	{"t", `IF({Amount} > 500, "large", IF({Amount} > 100, "medium", "small"))`},
	{"t", `SWITCH({Status}, "New", "open", "Paid", "open", "Shipped", "closed", "?")`},
	{"t", `DATETIME_FORMAT({Day}, "DD.MM.YYYY")`},
	{"t", `DATETIME_FORMAT({Shipped}, 'dddd, MMMM D')`},
	{"n", `DATETIME_DIFF({Shipped}, {Day}, 'days')`},
	{"d", `DATEADD({Day}, 14, "days")`},
	{"t", `IF(IS_AFTER({Shipped}, DATEADD({Day}, 7, 'days')), "late", "in time")`},
	{"n", `YEAR({Day}) * 100 + MONTH({Day})`},
	{"n", `WEEKDAY({Day})`},
	{"n", `WEEKNUM({Day}, "Monday")`},
	{"t", `REGEX_EXTRACT({Comment}, "\d+")`},
	{"n", `IF(REGEX_MATCH({Comment}, "berth \d+$"), 1, 0)`},
	{"t", `REGEX_REPLACE({Comment}, "[^0-9]+", "-")`},
	{"t", `ARRAYJOIN({Tags}, " | ")`},
	{"t", `IF(FIND("gift", ARRAYJOIN({Tags})), "🎁", "")`},
	{"t", `CREATED_TIME()`},
	{"t", `DATETIME_FORMAT(LAST_MODIFIED_TIME(), "YYYY-MM-DD HH:mm")`},
	{"d", `LAST_MODIFIED_TIME({Amount}, {Status})`},
	{"t", `RECORD_ID()`},
	{"t", `"https://example.com/orders/" & ENCODE_URL_COMPONENT({Comment})`},
	{"t", `UPPER(LEFT({Status}, 1)) & LOWER(MID({Status}, 2, 100))`},
	{"t", `CONCATENATE({Status}, " / ", {Segment})`},
	{"n", `LEN(TRIM({Comment}))`},
	{"t", `SUBSTITUTE({Comment}, "Order", "No")`},
	{"t", `REPT("★", {Rating}) & REPT("☆", 5 - {Rating})`},
	{"t", `IF(AND({Express}, {Amount} >= 100), "express, free", IF({Express}, "express", ""))`},
	{"n", `IF(OR({Status} = "New", {Status} = "Paid"), 0, 1)`},
	{"n", `NOT({Express})`},
	{"n", `INT({Amount} / 100)`},
	{"n", `MOD({No}, 10)`},
	{"n", `MAX({Amount}, {List price}, 0) - MIN({Amount}, {List price})`},
	{"n", `AVERAGE({Amount}, {List price})`},
	{"n", `CEILING({Amount}, 5) + FLOOR({Amount}, 5)`},
	{"n", `VALUE(DATETIME_FORMAT({Day}, "YYYYMMDD"))`},
	{"t", `IF({Shipped}, DATESTR({Shipped}), BLANK())`},
	{"t", `IF(ISERROR({Amount} / {Discount}), "none", "some")`},
	{"t", `{F2} & " " & {F4}`},
	{"t", `// what is written on it
{Order} & ": " & {F4} /* large or small */`},
	{"t", `"It's \"" & {Status} & '", ' & "{Amount}"`},
	{"n", `{Took} / 3600`},
	{"n", `WORKDAY_DIFF({Day}, DATEADD({Day}, 10, 'days'))`},
	{"t", `ARRAYJOIN({Prices}, ", ")`},
	{"n", broken},
	{"t", `REGEX_EXTRACT({Comment}, "(?<=no\. )\d+")`},
	{"t", `FANCY({Comment})`},
}

var customerFormulas = [][2]string{
	{"t", `{Name} & IF({Segment}, " (" & {Segment} & ")", "")`},
	{"t", `LOWER(SUBSTITUTE({Name}, " ", "."))`},
	{"t", `RIGHT({Email}, LEN({Email}) - FIND("@", {Email}))`},
	{"t", `LEFT({Email}, SEARCH("@", {Email}) - 1)`},
	{"n", `DATETIME_DIFF(TODAY(), {Since}, 'years')`},
	{"t", `IF(DATETIME_DIFF(NOW(), {Since}, 'days') > 365, "old", "new")`},
	{"t", `DATETIME_FORMAT(SET_LOCALE({Since}, 'de'), 'D. MMMM YYYY')`},
	{"t", `DATETIME_FORMAT(SET_TIMEZONE({Created}, 'Europe/Oslo'), 'YYYY-MM-DD HH:mm')`},
	{"t", `IF({Turnover} > 10000, "A", IF({Turnover} > 1000, "B", "C"))`},
	{"c", `{Turnover} / IF({Number of orders}, {Number of orders}, 1)`},
	{"t", `IF({Last order}, DATETIME_FORMAT({Last order}, "L"), "never")`},
	{"n", `DATETIME_DIFF({Last order}, {Since}, 'months')`},
	{"t", `IF({Number of orders} = 0, "none", IF({Number of orders} = 1, "one", {Number of orders} & " orders"))`},
	{"t", `ARRAYJOIN({Orders}, "; ")`},
	{"t", `IF({Owner}, "owned", "free")`},
	{"t", `REGEX_REPLACE({Phone}, "\s", "")`},
	{"n", `IF(REGEX_MATCH({Website}, "^https?://"), 1, 0)`},
	{"t", `"mailto:" & {Email} & "?subject=" & ENCODE_URL_COMPONENT("Hello " & {Name})`},
	{"n", `DAY({Since}) + MONTH({Since}) + YEAR({Since})`},
	{"t", `SWITCH({Segment}, "Retail", "R", "Wholesale", "W", "X")`},
	{"n", `IF(IS_SAME({Since}, TODAY(), 'month'), 1, 0)`},
	{"n", `IF(IS_BEFORE({Since}, "2024-01-01"), 1, 0)`},
	{"d", `DATETIME_PARSE("2024-03-01 10:00", "YYYY-MM-DD HH:mm")`},
	{"t", `TIMESTR({Created})`},
	{"t", `FROMNOW({Since})`},
	{"n", `HOUR({Created}) * 60 + MINUTE({Created})`},
}

var productFormulas = [][2]string{
	{"c", `{Price} * (1 + {Margin})`},
	{"p", `IF({Price}, ({Price} - 10) / {Price}, 0)`},
	{"t", `IF({Stock} = 0, "sold out", IF({Stock} < 5, "few", "many"))`},
	{"c", `{Price} * {Stock}`},
	{"t", `{Title} & " — " & {Price} & " €"`},
	{"t", `IF({Active}, "✅", "⛔")`},
	{"n", `POWER({Stock}, 2)`},
	{"n", `SQRT(ABS({Stock}))`},
	{"n", `ROUNDUP({Price}, 0) - ROUNDDOWN({Price}, 0)`},
	{"n", `EXP(LOG({Price}))`},
	{"n", `EVEN({Stock}) + ODD({Stock})`},
	{"n", `SUM({Price}, {Stock}, 1)`},
	{"n", `COUNT({Price}, {Title}, {Stock})`},
	{"n", `COUNTA({Price}, {Title}, "")`},
	{"n", `COUNTALL({Price}, {Title}, "")`},
	{"t", `REPLACE({Title}, 1, 7, "Item")`},
	{"t", `T({Title})`},
	{"n", `IF(XOR({Active}, {Stock} > 0), 1, 0)`},
	{"t", `IF({Description} = "", "no text", LEFT({Description}, 20) & "…")`},
	{"t", `IF(AND(NOT({Active}), {Stock}), "sell off", "")`},
	{"t", `IF({Sold} > 5, "runs", IF({Sold}, "goes", "stands"))`},
	{"n", `LEN({Description}) - LEN(SUBSTITUTE({Description}, "o", ""))`},
	{"t", `{F76} & "/" & {F77}`},
	{"n", `IF({F76} = BLANK(), 0, {F76} * 1.25)`},
	{"t", `IF({Price} >= 100, TRUE(), FALSE())`},
	{"t", `TRIM(UPPER({Title}))`},
}

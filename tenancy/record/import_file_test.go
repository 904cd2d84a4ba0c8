package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rowhouse/rowhouse/internal/delimited"
	fields "github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// utf16LE is a text with its byte order mark as Excel's "Unicode text" has it.
func utf16LE(text string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return string(out)
}

// latin is a text in Windows-1252, of characters that are the same in Latin 1.
func latin(text string) string {
	var out []byte
	for _, r := range text {
		out = append(out, byte(r))
	}
	return string(out)
}

// tableOf reads a file as an import does: a line with the columns and their types, and one for each row with its
// values.
func tableOf(content string) ([]string, error) {
	preview, err := record.PreviewFile(&record.PreviewRequest{Content: []byte(content)})
	if err != nil {
		return nil, err
	}
	var header []string
	var inputs []*fields.Input
	for _, c := range preview.Columns {
		order := c.Dates.Style
		if c.Dates.Found == string(fields.Either) {
			order = ""
		}
		header = append(header, strings.TrimSpace(c.Name+":"+c.Type+" "+c.Symbol+order))
		config := fields.Config{Symbol: c.Symbol}
		for _, name := range c.Options {
			config.Options = append(config.Options, fields.Option{Name: name})
		}
		kind, err := fields.Parse("", c.Type)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, &fields.Input{
			Field: &fields.Field{Kind: kind.Kind(), Config: config}, Typecast: true,
			Style: fields.Style{
				Decimal: record.DecimalSigns[c.Numbers.Style], Order: fields.DateOrder(c.Dates.Style),
			},
		})
	}
	out := []string{strings.Join(header, " | ")}
	for _, part := range preview.Parts {
		text, err := delimited.Continue([]byte(content[part.From:part.To]), preview.Encoding,
			record.Delimiters[preview.Delimiter], part.Line)
		if err != nil {
			return nil, err
		}
		for row, err := range text.Rows() {
			if err != nil {
				return nil, err
			}
			var values []string
			for i, cell := range row.Cells[:min(len(row.Cells), len(inputs))] {
				raw, _ := json.Marshal(delimited.Unguard(cell))
				value, err := inputs[i].Decode(raw)
				switch v := value.(type) {
				case time.Time:
					value = v.Format("2006-01-02T15:04")
					if preview.Columns[i].Type == "date" {
						value = v.Format(time.DateOnly)
					}
				case nil:
					value = ""
				}
				if err != nil {
					value = "!" + cell
				}
				values = append(values, fmt.Sprint(value))
			}
			out = append(out, strings.Join(values, " | "))
		}
	}
	return out, nil
}

// Files as people have them are read as the tables that they are.
func TestFilesThatPeopleHave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"plain": {"Name,Age\nAnn,5\nBob,7\n", "Name:text | Age:number\nAnn | 5\nBob | 7"},
		"two columns with a semicolon and decimal commas": {
			"Name;Preis\nTee;1,50\nBrot;2,20\n", "Name:text | Preis:number\nTee | 1.5\nBrot | 2.2",
		},
		"two columns with tabs": {
			"Name\tPrice\nTea\t1.50\n", "Name:text | Price:number\nTea | 1.5",
		},
		"one row without a last line break": {"Name;Preis\nTee;1,50", "Name:text | Preis:number\nTee | 1.5"},
		"delimiters inside quotes": {
			"Name,Note\nAnn,\"a;b;c;d\"\nBob,\"e;f;g;h\"\n", "Name:text | Note:text\nAnn | a;b;c;d\nBob | e;f;g;h",
		},
		"delimiters inside quotes of the header": {
			"\"Name; of; all\",Note\nAnn,x\n", "Name; of; all:text | Note:text\nAnn | x",
		},
		"Excel with sep=": {
			"sep=;\r\nName;Betrag\r\nA;1.234,50\r\nB;7\r\n",
			"Name:text | Betrag:number\nA | 1234.5\nB | 7",
		},
		"Excel with quoted sep=": {"\"sep=,\"\nA,B\n1,x\n", "A:number | B:text\n1 | x"},
		"Excel with lines that are empty behind the data": {
			"Name;N\r\nA;1\r\n;\r\n;\r\n", "Name:text | N:number\nA | 1",
		},
		"Excel that leaves out what is empty at the end of rows": {
			"Name,A,B,C\nx,1,2,3\ny,1\nz,1,2,3\n", "Name:text | A:number | B:number | C:number\nx | 1 | 2 | 3\ny | " +
				"1\nz | 1 | 2 | 3",
		},
		"Excel's Unicode text": {utf16LE("Name\tOrt\r\nZoë\tKöln\r\n𝔘\tx\r\n"), "Name:text | Ort:text\nZoë | Köln\n𝔘 " +
			"| x"},
		"Windows-1252": {latin("Name;Straße\r\nJosé;Große Gasse\r\n"), "Name:text | Straße:text\nJosé | " +
			"Große Gasse"},
		"UTF-8 with a mark": {"\ufeffName,N\nZoë,1\n", "Name:text | N:number\nZoë | 1"},
		"carriage returns":  {"Name,N\rA,1\rB,2\r", "Name:text | N:number\nA | 1\nB | 2"},
		"line breaks in cells": {"Name,Note\nA,\"one\r\ntwo\"\nB,x\n", "Name:text | Note:long_text\nA | " +
			"one\r\ntwo\nB | x"},
		"pandas with its index": {
			",name,score\n0,a,1.5\n1,b,2.5\n", ":number | name:text | score:number\n0 | a | 1.5\n1 | b | 2.5",
		},
		"a bank statement with a head": {
			"Kontonummer:;DE12 3456\n\n\"Buchungstag\";\"Wertstellung\";\"Zweck\";\"Betrag\"\n" +
				"\"04.03.2026\";\"05.03.2026\";\"Miete; " +
				"März\";\"-1.200,00\"\n\"31.03.2026\";\"31.03.2026\";\"Zinsen\";\"0,12\"\n",
			"Buchungstag:date DMY | Wertstellung:date DMY | Zweck:text | Betrag:number\n" +
				"2026-03-04 | 2026-03-05 | Miete; März | -1200\n2026-03-31 | 2026-03-31 | Zinsen | 0.12",
		},
		"a bank statement of the United States": {
			"Date,Description,Amount\n3/4/2026,Shop,($35.50)\n3/14/2026,Pay,\"$1,200.00\"\n",
			"Date:date MDY | Description:text | Amount:currency $\n2026-03-04 | Shop | -35.5\n2026-03-14 | Pay | 1200",
		},
		"titles in the first column": {
			"Sales report;;;\nMarch 2026;;;\nRegion;Product;Units;Price\nNorth;Tea;5;1,5\nSouth;Tea;7;2,5\n",
			"Region:text | Product:text | Units:number | Price:number\nNorth | Tea | 5 | 1.5\nSouth | Tea | 7 | 2.5",
		},
		"accounting negatives": {
			"Account,Balance\nA,(35.50)\nB,\"1,200.00\"\nC,12.00-\n", "Account:text | Balance:number\nA | -35.5\nB | " +
				"1200\nC | -12",
		},
		"a time sheet": {
			"Who,From,Spent\nAnn,2026-01-31 09:00,1:30\nBob,2026-01-31 10:15,0:45\n",
			"Who:text | From:datetime | Spent:duration\nAnn | 2026-01-31T09:00 | 5400\nBob | 2026-01-31T10:15 | 2700",
		},
		"Jira with repeated headers": {
			"Summary,Issue key,Labels,Labels,Sprint\nFix it,AB-1,ui,late,\nDo it,AB-2,api,,S1\n",
			"Summary:text | Issue key:text | Labels:text | Labels:text | Sprint:text\nFix it | AB-1 | ui | late | \n" +
				"Do it | AB-2 | api |  | S1",
		},
		"Notion": {
			"\ufeffName,Created,Done,Tags\nPlan,\"January 31, 2026 9:05 AM\",Yes,\"a, b\"\nShip,\"February 1, 2026 " +
				"4:00 PM\",No,c\n",
			"Name:text | Created:datetime | Done:checkbox | Tags:text\nPlan | 2026-01-31T09:05 | true | a, b\n" +
				"Ship | 2026-02-01T16:00 | false | c",
		},
		"Airtable": {
			"Name,Due,When\nA,4/3/2026,4/3/2026 9:05am\nB,4/30/2026,4/13/2026 10:00pm\n",
			"Name:text | Due:date MDY | When:datetime MDY\nA | 2026-04-03 | 2026-04-03T09:05\nB | 2026-04-30 | " +
				"2026-04-13T22:00",
		},
		"a column that another one settles": {
			"Sold,Paid\n4/3/2026,31/3/2026\n5/3/2026,1/4/2026\n",
			"Sold:date DMY | Paid:date DMY\n2026-03-04 | 2026-03-31\n2026-03-05 | 2026-04-01",
		},
		"an order that nothing settles": {
			"Name,Day\nA,4/3/2026\nB,5/6/2026\n", "Name:text | Day:date\nA | !4/3/2026\nB | !5/6/2026",
		},
		"two orders in one column": {
			"Name,Day\nA,31/3/2026\nB,3/31/2026\n", "Name:text | Day:text\nA | 31/3/2026\nB | 3/31/2026",
		},
		"Trello": {
			"Card ID,Card " +
				"Name,Due,List\n5f0a,Do,2026-01-31T10:00:00.000Z,Open\n6f0b,Go,2026-02-01T10:00:00.000Z,Open\n",
			"Card ID:text | Card Name:text | Due:datetime | List:text\n5f0a | Do | 2026-01-31T10:00 | Open\n" +
				"6f0b | Go | 2026-02-01T10:00 | Open",
		},
		"Shopify": {
			"Handle,Title,Price,Published,Barcode\ntea,Tea,9.99,TRUE,0123456789012\ncup,\"Cup, " +
				"blue\",12.50,FALSE,0123456789029\n",
			"Handle:text | Title:text | Price:number | Published:checkbox | Barcode:text\n" +
				"tea | Tea | 9.99 | true | 0123456789012\ncup | Cup, blue | 12.5 | false | 0123456789029",
		},
		"Google contacts": {
			"Name,E-mail 1 - Value,Phone 1 - Value,Birthday\nAnn,ann@example.com,+47 22 33,1990-02-28\n",
			"Name:text | E-mail 1 - Value:email | Phone 1 - Value:text | Birthday:date\nAnn | ann@example.com | +47 " +
				"22 33 | 1990-02-28",
		},
		"GTFS": {
			"stop_id,stop_name,stop_lat,stop_url\nS1,\"Main " +
				"\"\"St\"\"\",59.91,https://example.com/1\nS2,Quay,-33.8,https://example.com/2\n",
			"stop_id:text | stop_name:text | stop_lat:number | stop_url:url\nS1 | Main \"St\" | 59.91 | " +
				"https://example.com/1\n" +
				"S2 | Quay | -33.8 | https://example.com/2",
		},
		"Outlook": {
			"\"Subject\",\"Start Date\",\"Start Time\",\"All day " +
				"event\"\r\n\"Call\",\"13/3/2026\",\"9:00:00\",\"False\"\r\n" +
				"\"Trip\",\"1/4/2026\",\"10:30:00\",\"True\"\r\n",
			"Subject:text | Start Date:date DMY | Start Time:duration | All day event:checkbox\n" +
				"Call | 2026-03-13 | 32400 | false\nTrip | 2026-04-01 | 37800 | true",
		},
		"PostgreSQL": {
			"id,at,ok\n1,2026-01-31 10:00:00+02,true\n2,2026-01-31 11:30:00.5+02,false\n",
			"id:number | at:datetime | ok:checkbox\n1 | 2026-01-31T08:00 | true\n2 | 2026-01-31T09:30 | false",
		},
		"percentages": {"Name;Share\nA;12,5%\nB;7%\n", "Name:text | Share:percent\nA | 12.5\nB | 7"},
		"amounts in euro": {"Name;Preis\nA;1.234,50 €\nB;7,00 €\n", "Name:text | Preis:currency €\nA | " +
			"1234.5\nB | 7"},
		"quotes inside cells": {"Name,Size\nPipe,5\" wide\nRod,2\"\n", "Name:text | Size:text\nPipe | 5\" " +
			"wide\nRod | 2\""},
		"space before quotes":        {"Name, Note\nA, \"x, y\"\n", "Name:text | Note:text\nA | x, y"},
		"formulas that were defused": {"Name,N\n'=1+1,1\n'@me,2\n", "Name:text | N:number\n=1+1 | 1\n@me | 2"},
		"codes that are no numbers": {"Zip,Phone\n00123,555 123\n90210,555 " +
			"124\n", "Zip:text | Phone:text\n00123 | 555 123\n90210 | 555 124"},
		"no header": {
			"2026-01-31,1.5\n2026-02-01,2.5\n2026-02-02,1,extra\n",
			":date | :number | :text\n2026-01-31 | 1.5\n2026-02-01 | 2.5\n2026-02-02 | 1 | extra",
		},
		"lists of tags": {
			"Name,Tags\n" + strings.Repeat("A,ui\nB,\"ui, api\"\nC,api\n", 8),
			"Name:single_select | Tags:multi_select" + strings.Repeat("\nA | [ui]\nB | [ui api]\nC | [api]", 8),
		},
		"places that are no tags": {
			"N,Place\n" + strings.Repeat("1,\"Boston, MA\"\n2,\"Salem, MA\"\n", 10),
			"N:number | Place:single_select" + strings.Repeat("\n1 | Boston, MA\n2 | Salem, MA", 10),
		},
		"one column": {"Name\nAnn\n\nBob\n", "Name:text\nAnn\nBob"},
		"pipes":      {"Name|N\nA, B|1\nC|2\n", "Name:text | N:number\nA, B | 1\nC | 2"},
	} {
		got, err := tableOf(c.file)
		if err != nil || strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, strings.Join(got, "\n"), c.want)
		}
	}
	for content, message := range map[string]string{
		"":                      "no row with a value",
		" \n,,\n":               "no row with a value",
		"Name,N\nA,\"open\nB,1": "csv line 2",
		"Name,N\nA,\"x\"y\n":    "csv line 2",
	} {
		if got, err := tableOf(content); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q is %q: %v", content, got, err)
		}
	}
}

package convert_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

type place struct {
	City    string  `parquet:"city"`
	Lat     float64 `parquet:"lat"`
	Visited *bool   `parquet:"visited,optional"`
}

type visit struct {
	Code    string             `parquet:"code"`
	Count   *int32             `parquet:"count,optional"`
	Big     int64              `parquet:"big"`
	Size    uint64             `parquet:"size"`
	Price   int64              `parquet:"price,decimal(2:18)"`
	Ratio   float32            `parquet:"ratio"`
	Weight  float64            `parquet:"weight"`
	Open    *bool              `parquet:"open,optional"`
	Day     int32              `parquet:"day,date"`
	At      time.Time          `parquet:"at,timestamp(microsecond)"`
	Local   int64              `parquet:"local,timestamp(millisecond:local)"`
	Clock   int64              `parquet:"clock,time(microsecond)"`
	Tags    []string           `parquet:"tags,list"`
	Numbers []int64            `parquet:"numbers"`
	Where   *place             `parquet:"where,optional"`
	Stops   []place            `parquet:"stops,list"`
	Extra   map[string]float64 `parquet:"extra"`
	Key     [16]byte           `parquet:"key,uuid"`
	Raw     []byte             `parquet:"raw"`
	Kind    string             `parquet:"kind,dict,enum"`
}

func visits() []visit {
	three, yes, no := int32(3), true, false
	return []visit{
		{
			Code: "007", Count: &three, Big: 9007199254740993, Size: math.MaxUint64, Price: -12345, Ratio: 0.1,
			Weight: math.Inf(1), Open: &yes, Day: -719162, At: time.Date(2026, 3, 29, 1, 30, 0, 250_000_000, time.UTC),
			Local: 86_400_000, Clock: 37_800_000_000, Tags: []string{"a", "b, c"}, Numbers: []int64{1, 2},
			Where: &place{City: "Kyōto", Lat: 35.5, Visited: &no},
			Stops: []place{{City: "A"}, {City: "B", Visited: &yes}},
			Extra: map[string]float64{"x": 1.5}, Key: [16]byte{15: 1}, Raw: []byte{0xff, 0}, Kind: "one",
		},
		{
			Code: "=1+1", Price: 5, Ratio: -2, Weight: 1e-7, Day: 0, At: time.Unix(0, 0).UTC(),
			Raw: []byte("text"), Kind: "two",
		},
	}
}

const visitsCSV = `code,count,big,size,price,ratio,weight,open,day,at,local,clock,tags,numbers,where,stops,extra,key,` +
	`raw,kind` + "\r\n" +
	`007,3,9007199254740993,18446744073709551615,-123.45,0.1,,true,0001-01-01,2026-03-29T01:30:00.25Z,` +
	`1970-01-02T00:00:00,10:30:00,"a, ""b, c""","1, 2","{""city"":""Kyōto"",""lat"":35.5,""visited"":false}",` +
	`"[{""city"":""A"",""lat"":0,""visited"":null},{""city"":""B"",""lat"":0,""visited"":true}]","{""x"":1.5}",` +
	`00000000-0000-0000-0000-000000000001,ff00,one` + "\r\n" +
	`'=1+1,,0,0,0.05,-2,1e-07,,1970-01-01,1970-01-01T00:00:00Z,1970-01-01T00:00:00,00:00:00,,,,[],{},` +
	`00000000-0000-0000-0000-000000000000,text,two` + "\r\n"

const visitsTypes = "text number text text number number number checkbox date datetime datetime duration " +
	"multi_select text json json json text text text"

// The values of every type are written as they are, whatever compresses and encodes them.
func TestValuesOfParquetKeepTheirTypes(t *testing.T) {
	t.Parallel()
	for name, codec := range map[string]compress.Codec{
		"plain": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "brotli": &parquet.Brotli,
		"zstd": &parquet.Zstd, "lz4": &parquet.Lz4Raw,
	} {
		for version := 1; version <= 2; version++ {
			var file bytes.Buffer
			w := parquet.NewGenericWriter[visit](&file, parquet.Compression(codec), parquet.DataPageVersion(version),
				parquet.MaxRowsPerRowGroup(1))
			if _, err := w.Write(visits()); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			text, result, err := converted(t, nil, convert.Parquet, file.Bytes())
			if err != nil {
				t.Fatalf("%s, pages of version %d: %v", name, version, err)
			}
			if text != visitsCSV {
				t.Errorf("%s, pages of version %d: the CSV is\n%s", name, version, text)
			}
			var types []string
			for _, c := range result.Columns {
				types = append(types, c.Type)
			}
			if got := strings.Join(types, " "); got != visitsTypes {
				t.Errorf("the types are %s", got)
			}
			if got := fmt.Sprint(result.Notes); !strings.Contains(got, `"weight" that are infinite`) ||
				!strings.Contains(got, `"raw" that are no text`) {
				t.Errorf("the notes are %s", got)
			}
		}
	}
}

// A damaged file is refused, and the process of the caller goes on.
func TestDamagedParquetIsRefused(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := parquet.Write(&file, visits()); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for n := range 400 {
		damaged := bytes.Clone(whole)
		switch n % 3 {
		case 0:
			damaged = damaged[:4+random.IntN(len(damaged)-4)]
		default:
			for range 1 + n%3*8 {
				damaged[4+random.IntN(len(damaged)-4)] ^= byte(1 << random.IntN(8))
			}
		}
		if _, _, err := converted(t, nil, convert.Parquet, damaged); err != nil {
			if problem.KindOf(err) != problem.KindInvalid {
				t.Errorf("file %d: %v", n, err)
			}
			refused++
		}
	}
	if refused < 200 {
		t.Errorf("only %d damaged files were refused", refused)
	}
}

// A lie is a codec that packs every page as another content.
type lie struct {
	compress.Codec

	packed []byte
}

// Encode returns the other content.
func (l lie) Encode(_, _ []byte) ([]byte, error) { return l.packed, nil }

// A small file that unpacks to more than the process may have is refused, and so is one of too many columns.
func TestLargeParquetIsRefused(t *testing.T) {
	t.Parallel()
	type row struct {
		Text string `parquet:"text"`
	}
	var zeros, bomb bytes.Buffer
	to, err := zstd.NewWriter(&zeros)
	if err != nil {
		t.Fatal(err)
	}
	for range 1500 {
		if _, err := to.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](&bomb, parquet.Compression(lie{&parquet.Zstd, zeros.Bytes()}))
	if _, err := w.Write([]row{{"small"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if bomb.Len() > 1<<20 {
		t.Fatalf("the file has %d bytes", bomb.Len())
	}
	_, _, err = converted(t, inProcess(), convert.Parquet, bomb.Bytes())
	if problem.KindOf(err) != problem.KindInvalid || !strings.Contains(err.Error(), "1024 MB of memory") {
		t.Errorf("the file is not refused: %v", err)
	}
	group := parquet.Group{}
	for n := range convert.MaxColumns + 1 {
		group[fmt.Sprint("c", n)] = parquet.Int(32)
	}
	var wide bytes.Buffer
	if err := parquet.NewGenericWriter[any](&wide, parquet.NewSchema("wide", group)).Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := converted(t, nil, convert.Parquet, wide.Bytes()); err == nil ||
		!strings.Contains(err.Error(), "501 columns") {
		t.Errorf("the file is not refused: %v", err)
	}
}

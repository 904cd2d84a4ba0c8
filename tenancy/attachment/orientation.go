package attachment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	"io"
)

// exifOrientation is the Exif orientation of a photograph, 1 to 8 (Exif 2.32, tag 0x0112).
type exifOrientation int

const orientationNormal exifOrientation = 1

func (t exifOrientation) swapsAxes() bool { return t >= 5 }

// apply returns the image as it is to be displayed.
func (t exifOrientation) apply(from *image.NRGBA) *image.NRGBA {
	if t <= orientationNormal || t > 8 {
		return from
	}
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	size := image.Rect(0, 0, w, h)
	if t.swapsAxes() {
		size = image.Rect(0, 0, h, w)
	}
	to := image.NewNRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := t.mapPixel(x, y, w, h)
			to.SetNRGBA(tx, ty, from.NRGBAAt(x, y))
		}
	}
	return to
}

// mapPixel returns where the pixel at x, y of an image of w by h pixels is displayed.
func (t exifOrientation) mapPixel(x, y, w, h int) (int, int) {
	switch t {
	case orientationNormal:
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}

var errNoOrientation = errors.New("the image has no Exif orientation")

// readOrientation reads the orientation from the first directory of the first Exif segment of a
// JPEG.
func readOrientation(content io.Reader) (exifOrientation, error) {
	r := bufio.NewReader(content)
	var head [4]byte
	if _, err := io.ReadFull(r, head[:2]); err != nil || head[0] != 0xff || head[1] != 0xd8 {
		return orientationNormal, errNoOrientation
	}
	for range 64 {
		if _, err := io.ReadFull(r, head[:]); err != nil || head[0] != 0xff || head[1] == 0xda {
			return orientationNormal, errNoOrientation
		}
		length := int(binary.BigEndian.Uint16(head[2:])) - 2
		if length < 0 {
			return orientationNormal, errNoOrientation
		}
		if head[1] != 0xe1 {
			if _, err := r.Discard(length); err != nil {
				return orientationNormal, errNoOrientation
			}
			continue
		}
		segment := make([]byte, length)
		if _, err := io.ReadFull(r, segment); err != nil {
			return orientationNormal, errNoOrientation
		}
		if t, ok := parseExif(segment); ok {
			return t, nil
		}
	}
	return orientationNormal, errNoOrientation
}

func parseExif(segment []byte) (exifOrientation, bool) {
	const header = "Exif\x00\x00"
	if len(segment) < len(header)+8 || string(segment[:len(header)]) != header {
		return orientationNormal, false
	}
	tiff := segment[len(header):]
	var order binary.ByteOrder
	switch string(tiff[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return orientationNormal, false
	}
	at := int(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > len(tiff) {
		return orientationNormal, false
	}
	count := int(order.Uint16(tiff[at:]))
	for i := range count {
		entry := at + 2 + 12*i
		if entry+12 > len(tiff) {
			break
		}
		if order.Uint16(tiff[entry:]) == 0x0112 {
			if t := exifOrientation(order.Uint16(tiff[entry+8:])); t >= 1 && t <= 8 {
				return t, true
			}
			break
		}
	}
	return orientationNormal, false
}

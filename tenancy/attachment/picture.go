package attachment

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
)

// pictureSide is the longer side of a Picture, in pixels. Models that look at images make larger ones smaller.
const pictureSide = 1024

// A Picture is a JPEG of an image, of bounded size. What is transparent in the image is white.
type Picture struct {
	JPEG          []byte
	Width, Height int // of the picture
}

// IsPicture reports whether files of a media type are images of which there is a Picture.
func IsPicture(mediaType string) bool {
	_, known := formats[mediaType]
	return known
}

// Picture returns a picture of an image of a media type, or nil for content that cannot be decoded or has more than 25
// million pixels, which are counted before any is decoded.
func (s *Store) Picture(ctx context.Context, content io.ReadSeeker, mediaType string) (*Picture, error) {
	format, known := formats[mediaType]
	if !known {
		return nil, nil
	}
	config, err := fromStart(content, format.config)
	if err != nil || config.Width < 1 || config.Height < 1 || int64(config.Width)*int64(config.Height) > maxPixels {
		return nil, nil //nolint:nilerr // no picture
	}
	var out *Picture
	if err := s.decode(ctx, func() { out = picture(content, format, mediaType == "image/jpeg") }); err != nil {
		return nil, fmt.Errorf("waiting for the decoder of images: %w", err)
	}
	return out, nil
}

func picture(content io.ReadSeeker, format format, hasExif bool) *Picture {
	small, _, _ := scaled(content, format, hasExif, pictureSide)
	if small == nil {
		return nil
	}
	flat := image.NewRGBA(small.Bounds())
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), small, small.Bounds().Min, draw.Over)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, flat, &jpeg.Options{Quality: 80}); err != nil {
		return nil
	}
	return &Picture{out.Bytes(), flat.Bounds().Dx(), flat.Bounds().Dy()}
}

module preflight.example/reader

go 1.22

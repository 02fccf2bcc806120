module example.org/sleeps

go 1.22

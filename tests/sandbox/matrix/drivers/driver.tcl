# Does what it is told on standard input, with its library.
fconfigure stdout -buffering line
set count 0

proc answer {script} {
    global count
    incr count
    set failed [catch {uplevel 1 $script} data]
    puts "c $count [expr {$failed ? -1 : 0}]"
    if {!$failed && $data ne ""} {
        binary scan $data H* hex
        puts "d $hex"
    }
}

while {[gets stdin line] >= 0} {
    lassign [split $line] op first second
    switch $op {
        read { answer {set file [open $first rb]; set data [read $file 256]; close $file; set data} }
        stat { answer {file stat $first about; set data ""} }
        list { answer {if {![file isdirectory $first]} {error no}; join [glob -nocomplain -directory $first *]} }
        write { answer {set file [open $first w]; puts $file $second; close $file} }
        remove { answer {if {![file exists $first]} {error no}; file delete -force $first; set data ""} }
        rename { answer {file rename $first $second} }
        folder { answer {file mkdir $first} }
        link { answer {file link -symbolic $second $first; set data ""} }
        mode { answer {file attributes $first -permissions $second} }
        enter { answer {cd $first; set data ""} }
        temporary { answer {close [file tempfile]} }
        tcp { answer {set line [socket 127.0.0.1 $first]; puts $line $second; close $line} }
        serve { answer {close [socket -server puts $first]} }
        run - pipe { answer {exec $first} }
        load { answer {load $first} }
        environment { answer {expr {[info exists ::env($first)] ? $::env($first) : ""}} }
        memory { answer {set ::hoard [string repeat x $first]; set data ""} }
        flood { answer {for {set i 0} {$i < $first / 64} {incr i} {puts [string repeat x 63]}; set data ""} }
        burn { set ends [expr {[clock milliseconds] + $first}]; while {[clock milliseconds] < $ends} {} }
        hold { puts held; gets stdin }
        e { break }
        default { puts "u no such thing in its library"; incr count; puts "c $count -1" }
    }
}
puts end

// Works hard: much input, garbage, exceptions, the time, much output.
object mybot {
  def main(arguments: Array[String]): Unit = {
    val piece = new Array[Byte](65536)
    val size = Iterator.continually(System.in.read(piece)).takeWhile(_ > 0).map(_.toLong).sum
    val caught = (1 to 5000).count { i =>
      val garbage = List.fill(20)(i.toString)
      try { garbage(20); false } catch { case _: IndexOutOfBoundsException => true }
    }
    System.gc()
    Console.err.println(new java.util.Date())
    for (i <- 1 to 3000) println(f"$i%063d")
    println(s"ok $size")
    if (caught != 5000) sys.exit(2)
  }
}

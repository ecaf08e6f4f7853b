object Shark {
  def points(line: String): Int = line.split(" ").map(_.toInt).sum

  def main(words: Array[String]): Unit = {
    println(points("13 six 4"))
  }
}

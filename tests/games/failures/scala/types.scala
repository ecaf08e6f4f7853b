object Shark {
  def main(words: Array[String]): Unit = {
    val count: Int = "three"
    println(count)
  }
}

object Shark {
  def main(words: Array[String]): Unit = {
    val hand = List("c2")
    println(hnad.head)
  }
}

object Shark {
  def lowest(hand: List[String]): String = hand.head

  def main(words: Array[String]): Unit = {
    println(lowest(Nil))
  }
}

/*
 * RandomPlayer.scala - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
 */
object RandomPlayer {
  def main(args: Array[String]): Unit = {
    val game = new Steven(args)
    while (game.nextCard()) {
      val card = game.hand(game.random.nextInt(game.hand.size))
      game.debug(s"${game.open} is dealt, I play $card")
      game.play(card)
    }
  }
}
